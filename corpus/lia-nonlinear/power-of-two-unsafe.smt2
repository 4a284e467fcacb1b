; pow(0) = 1;  pow(n) = pow(n - 1) + pow(n - 1)
; assert pow(n) <= n
(set-logic HORN)
(set-info :status unsat)
(declare-fun pow (Int Int) Bool)
(assert (pow 0 1))
(assert (forall ((n Int) (r Int)) (=> (and (pow n r) (>= n 0)) (pow (+ n 1) (+ r r)))))
(assert (forall ((n Int) (r Int)) (=> (and (pow n r) (not (<= r n))) false)))
(check-sat)
