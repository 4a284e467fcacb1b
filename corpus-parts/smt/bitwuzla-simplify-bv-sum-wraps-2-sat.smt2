; A question about corpus-smt/bv/sum-wraps-2-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((x #b10) (y #b10)))")
(declare-fun x () (_ BitVec 2))
(declare-fun y () (_ BitVec 2))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 1 1) x) #b1))
(assert (= ((_ extract 1 1) y) #b1))
(check-sat)
