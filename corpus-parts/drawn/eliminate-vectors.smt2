; A drawn question to eliminate: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (z) ((x #x2) (y #x1) (z #x1)) ((by qe-light)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt (bvadd (bvshl #x0 #x0) z) x))
(check-sat)
