; assume n >= 0
; i, sum := 0, 0
; while i < n:
;     i := i + 1
;     sum := sum + i
; assert sum <= i
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int) (i Int) (sum Int)) (=> (and (>= n 0) (= i 0) (= sum 0)) (loop n i sum))))
(assert (forall ((n Int) (i Int) (sum Int) (i1 Int) (sum1 Int))
  (=> (and (loop n i sum) (< i n) (= i1 (+ i 1)) (= sum1 (+ sum i1))) (loop n i1 sum1))))
(assert (forall ((n Int) (i Int) (sum Int)) (=> (and (loop n i sum) (>= i n) (not (<= sum i))) false)))
(check-sat)
