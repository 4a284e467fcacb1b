; A question about corpus-smt/bv/own-negation-3-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (recover-01 fix-dl-var) ((x #b100)))")
(declare-fun x () (_ BitVec 3))
(assert (= x (bvneg x)))
(assert (distinct x #b000))
(assert (= x #b100))
(check-sat)
