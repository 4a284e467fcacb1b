; fill(a, i) = a                            if i >= 3
;            = fill(a[i := i], i + 1) otherwise
; assert fill(a, 0)[k] = 1 for 0 <= k < 3
(set-logic HORN)
(set-info :status unsat)
(declare-fun fill ((Array Int Int) Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int)) (=> (>= i 3) (fill a i a))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int))
  (=> (and (< i 3) (= b (store a i i)) (fill b (+ i 1) c)) (fill a i c))))
(assert (forall ((a (Array Int Int)) (c (Array Int Int)) (k Int))
  (=> (and (fill a 0 c) (<= 0 k) (< k 3) (distinct (select c k) 1)) false)))
(check-sat)
