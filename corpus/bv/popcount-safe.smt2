; uint3 n := x, uint3 count := 0
; while n != 0: count := count + 1; n := n & (n - 1)
; assert count bvule 3
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 3) (_ BitVec 3)) Bool)
(assert (forall ((n (_ BitVec 3))) (loop n #b000)))
(assert (forall ((n (_ BitVec 3)) (m (_ BitVec 3)) (count (_ BitVec 3)))
  (=> (and (loop n count) (distinct n #b000) (= m (bvand n (bvsub n #b001))))
      (loop m (bvadd count #b001)))))
(assert (forall ((n (_ BitVec 3)) (count (_ BitVec 3)))
  (=> (and (loop n count) (= n #b000) (not (bvule count #b011))) false)))
(check-sat)
