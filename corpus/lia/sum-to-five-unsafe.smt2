; i, sum := 0, 0
; while i < 5:
;     i := i + 1
;     sum := sum + i
; assert sum = 10
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((i Int) (sum Int)) (=> (and (= i 0) (= sum 0)) (loop i sum))))
(assert (forall ((i Int) (sum Int) (i1 Int) (sum1 Int))
  (=> (and (loop i sum) (< i 5) (= i1 (+ i 1)) (= sum1 (+ sum i1))) (loop i1 sum1))))
(assert (forall ((i Int) (sum Int)) (=> (and (loop i sum) (>= i 5) (not (= sum 10))) false)))
(check-sat)
