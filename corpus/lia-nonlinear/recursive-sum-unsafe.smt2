; sum(n) = 0                   if n <= 0
;        = n + sum(n - 1)      otherwise
; assert sum(n) <= n
(set-logic HORN)
(set-info :status unsat)
(declare-fun sum (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (<= n 0) (= r 0)) (sum n r))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (> n 0) (sum (- n 1) s) (= r (+ n s))) (sum n r))))
(assert (forall ((n Int) (r Int)) (=> (and (sum n r) (not (<= r n))) false)))
(check-sat)
