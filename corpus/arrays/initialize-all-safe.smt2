; assume 0 <= n <= 3
; for i from 0 to n - 1: a[i] := 0
; for any j with 0 <= j < n: assert a[j] = 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (and (<= 0 n) (<= n 3)) (loop a 0 n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n) (= b (store a i 0))) (loop b (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (n Int))
  (=> (and (loop a i n) (>= i n) (<= 0 j) (< j n) (not (= (select a j) 0))) false)))
(check-sat)
