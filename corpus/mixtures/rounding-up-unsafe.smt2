; a price of 0 to 3, rounded down
; assert that the rounded price is not below the price
(set-logic HORN)
(set-info :status unsat)
(declare-fun price (Real) Bool)
(declare-fun rounded (Real Int) Bool)
(assert (forall ((p Real)) (=> (and (<= 0.0 p) (<= p 3.0)) (price p))))
(assert (forall ((p Real)) (=> (price p) (rounded p (to_int p)))))
(assert (forall ((p Real) (n Int)) (=> (and (rounded p n) (< (to_real n) p)) false)))
(check-sat)
