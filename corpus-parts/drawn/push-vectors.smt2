; A drawn question to push: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x #xf) (y #xf) (z #xf)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvult (bvudiv (bvadd z #x8) #x1) (bvmul x (bvadd #x8 z))))
(check-sat)
