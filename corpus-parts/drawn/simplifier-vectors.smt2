; A drawn question to simplifier: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (cofactor-term-ite) ((x #x1) (y #x1) (z #x1)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt (bvurem (bvsdiv #x0 #x1) (bvmul x y)) y))
(assert (not (bvult #x8 (bvand (bvsdiv (bvshl #x1 x) (bvadd #x1 y)) (bvsdiv (bvshl y y) (bvmul y x))))))
(check-sat)
