; A question about corpus-smt/bv/own-negation-9-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x #b100000000)))")
(declare-fun x () (_ BitVec 9))
(assert (= x (bvneg x)))
(assert (distinct x #b000000000))
(assert (= x #b100000000))
(check-sat)
