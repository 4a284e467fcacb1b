; a price of 0 to 3, rounded up
; assert that the rounded price is not below the price
(set-logic HORN)
(set-info :status sat)
(declare-fun price (Real) Bool)
(declare-fun rounded (Real Int) Bool)
(assert (forall ((p Real)) (=> (and (<= 0.0 p) (<= p 3.0)) (price p))))
(assert (forall ((p Real)) (=> (price p) (rounded p (ite (is_int p) (to_int p) (+ (to_int p) 1))))))
(assert (forall ((p Real) (n Int)) (=> (and (rounded p n) (< (to_real n) p)) false)))
(check-sat)
