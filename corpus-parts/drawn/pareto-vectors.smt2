; A drawn question to pareto: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(pareto (x y) ((x #x2) (y #x2) (z #x2)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (= x (bvnot x))))
(assert (distinct (bvurem (bvudiv (bvmul x #x1) (bvmul #x8 #x8)) (bvmul #x1 (bvshl z #x0))) (bvnot (bvmul (bvand #x0 z) y)) z))
(check-sat)
