; A drawn question to qsat: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(qsat (z) ((x #x0) (y #x2) (z #x0)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvule (bvsdiv z #x1) (bvsub #x1 #x1)))
(check-sat)
