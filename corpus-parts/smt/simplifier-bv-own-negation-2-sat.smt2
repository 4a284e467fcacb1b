; A question about corpus-smt/bv/own-negation-2-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (injectivity refine-injectivity) ((x #b10)))")
(declare-fun x () (_ BitVec 2))
(assert (= x (bvneg x)))
(assert (distinct x #b00))
(assert (= x #b10))
(check-sat)
