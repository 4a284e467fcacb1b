; assume 0 <= n <= 3
; for i from 0 to n - 1: b[i] := a[i] + 1
; for any j with 0 <= j < n: assert a[j] <= b[j]
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int))
  (=> (and (<= 0 n) (<= n 3)) (loop a b 0 n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n) (= c (store b i (+ (select a i) 1)))) (loop a c (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (j Int) (n Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 j) (< j n) (> (select a j) (select b j))) false)))
(check-sat)
