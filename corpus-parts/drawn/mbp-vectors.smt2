; A drawn question to mbp: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (z) ((x #x2) (y #x2) (z #x5)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (= y (bvand x #x0))))
(assert (distinct #x0 (bvshl z y) (ite (bvule #x1 x) y #x1)))
(check-sat)
