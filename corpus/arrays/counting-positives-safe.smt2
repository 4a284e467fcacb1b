; count := 0
; for i from 0 to n - 1: if a[i] > 0: count := count + 1
; assert count <= i, and if count = i > 0 then a[0] > 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (>= n 0) (loop a 0 n 0))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (count Int) (count1 Int))
  (=> (and (loop a i n count) (< i n) (= count1 (ite (> (select a i) 0) (+ count 1) count)))
      (loop a (+ i 1) n count1))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (count Int))
  (=> (and (loop a i n count) (or (> count i) (and (= count i) (> i 0) (<= (select a 0) 0)))) false)))
(check-sat)
