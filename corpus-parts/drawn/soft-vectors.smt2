; A drawn question to soft: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(soft () ((x #x8) (y #x2) (z #x2)) ((engine pd-maxres)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (distinct (bvmul x #x0) (bvsub #x1 z) (bvshl #x1 #x1)))
(assert (= (ite (bvule #x0 #x0) (ite (bvult #x0 y) #x0 #x8) x) #x0))
(check-sat)
