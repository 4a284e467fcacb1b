; A drawn question to cube: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(cube () ((x #x8) (y #x8) (z #x2)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (= y (bvand (bvudiv (bvsdiv z y) (ite (bvslt y y) #x0 #x8)) x))))
(assert (bvult (bvsub (bvmul x #x1) (bvmul #x8 #x1)) #x1))
(check-sat)
