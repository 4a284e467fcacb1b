; A drawn question to implicant: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x #x2) (y #x2) (z #x2)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (= (bvsdiv z (bvnot #x8)) (bvurem (bvand #x1 x) (ite (bvslt x #x0) x #x8))))
(check-sat)
