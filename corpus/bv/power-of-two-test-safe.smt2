; x := 1
; repeat any number of times: x := x << 1
; assert x & (x - 1) = 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 8)) Bool)
(assert (loop #x01))
(assert (forall ((x (_ BitVec 8))) (=> (loop x) (loop (bvshl x #x01)))))
(assert (forall ((x (_ BitVec 8)))
  (=> (and (loop x) (not (and (= (bvand x (bvsub x #x01)) #x00) true))) false)))
(check-sat)
