; A question about corpus-smt/bv/sum-wraps-7-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((x #b1111111) (y #b1000011)))")
(declare-fun x () (_ BitVec 7))
(declare-fun y () (_ BitVec 7))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 6 6) x) #b1))
(assert (= ((_ extract 6 6) y) #b1))
(check-sat)
