; A question about corpus-smt/bv/own-negation-33-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (x) ((x #b100000000000000000000000000000000)))")
(declare-fun x () (_ BitVec 33))
(assert (= x (bvneg x)))
(assert (distinct x #b000000000000000000000000000000000))
(assert (= x #b100000000000000000000000000000000))
(check-sat)
