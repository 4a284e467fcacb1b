; A drawn question to soft: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(soft () ((x #x7) (y #x7) (z #x7)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (distinct (bvmul x #x0) (bvsub #x1 z) (bvshl #x1 #x1)))
(check-sat)
