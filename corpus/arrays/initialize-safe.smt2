; assume 0 <= k < n
; for i from 0 to n - 1: a[i] := 0
; assert a[k] = 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (<= 0 k) (< k n) (= i 0)) (loop a i k n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (loop a i k n) (< i n) (= b (store a i 0))) (loop b (+ i 1) k n))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (loop a i k n) (>= i n) (not (= (select a k) 0))) false)))
(check-sat)
