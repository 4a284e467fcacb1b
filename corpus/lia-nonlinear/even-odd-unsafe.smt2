; even(0); even(n + 1) if odd(n); odd(n + 1) if even(n); even(n + 3) if even(n), for n < 6
; assert that no number is both even and odd
(set-logic HORN)
(set-info :status unsat)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (and (odd n) (< n 6)) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (and (even n) (< n 6)) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (and (even n) (< n 6)) (even (+ n 3)))))
(assert (forall ((n Int)) (=> (and (even n) (odd n)) false)))
(check-sat)
