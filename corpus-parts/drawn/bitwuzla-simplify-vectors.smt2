; A drawn question to bitwuzla-simplify: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((x #x7) (y #x8) (z #x1)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt #x0 (ite (bvult #x1 x) (ite (= #x1 x) (bvadd x y) z) #x0)))
(assert (distinct (bvsdiv (bvadd y #x0) (bvadd x y)) (bvudiv (bvsub z #x8) (bvand #x0 y)) (bvsub (bvudiv #x0 #x0) (bvnot #x0))))
(check-sat)
