; assume 0 <= k < n
; for i from 0 to n - 1: b[i] := a[i]
; assert b[k] = a[k]
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (<= 0 k) (< k n) (= i 0)) (loop a b i k n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (loop a b i k n) (< i n) (= c (store b i (select a i)))) (loop a c (+ i 1) k n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (k Int) (n Int))
  (=> (and (loop a b i k n) (>= i n) (not (= (select b k) (select a k)))) false)))
(check-sat)
