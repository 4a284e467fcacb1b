; A drawn question to proof: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(proof)")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt (bvand x (bvmul z #x1)) (bvadd (bvudiv (bvshl #x8 x) z) (bvsub (bvshl y z) #x1))))
(assert (not (bvslt (bvand x (bvmul z #x1)) (bvadd (bvudiv (bvshl #x8 x) z) (bvsub (bvshl y z) #x1)))))
(check-sat)
