; assume 0 <= n < 1000
; sum := 0
; while n > 0:
;     sum := sum + n mod 10
;     n := n div 10
; assert sum < 27
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (< n 1000)) (loop n 0))))
(assert (forall ((n Int) (sum Int) (n1 Int) (sum1 Int))
  (=> (and (loop n sum) (> n 0) (= sum1 (+ sum (mod n 10))) (= n1 (div n 10))) (loop n1 sum1))))
(assert (forall ((n Int) (sum Int)) (=> (and (loop n sum) (= n 0) (not (< sum 27))) false)))
(check-sat)
