; A question about corpus-smt/bv/sum-wraps-17-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x #b11000000000000000) (y #b11111111111101110)))")
(declare-fun x () (_ BitVec 17))
(declare-fun y () (_ BitVec 17))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 16 16) x) #b1))
(assert (= ((_ extract 16 16) y) #b1))
(check-sat)
