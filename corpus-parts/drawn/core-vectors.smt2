; A drawn question to core: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((x #xf) (y #xf) (z #x8)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvult (bvudiv (bvmul (bvurem #x1 #x8) (bvudiv #x8 #x1)) #x1) (bvsdiv (bvsub #x0 y) (bvmul (bvmul y #x8) (bvsub y #x1)))))
(assert (not (bvule (bvudiv y x) (bvshl #x0 y))))
(check-sat)
