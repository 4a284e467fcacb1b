; even(n) = n = 0 or odd(n - 1);  odd(n) = n != 0 and even(n - 1), for n >= 0
; results are 0 and 1; assert even(n) + odd(n) <= 0
(set-logic HORN)
(set-info :status unsat)
(declare-fun even (Int Int) Bool)
(declare-fun odd (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (= n 0) (= r 1)) (even n r))))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (odd (- n 1) r)) (even n r))))
(assert (forall ((n Int) (r Int)) (=> (and (= n 0) (= r 0)) (odd n r))))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (even (- n 1) r)) (odd n r))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (even n r) (odd n s) (> (+ r s) 0)) false)))
(check-sat)
