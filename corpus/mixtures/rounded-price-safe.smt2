; real price := 0; any number of times: price := price + 1/4
; assert floor(price) <= price
(set-logic HORN)
(set-info :status sat)
(declare-fun price (Real) Bool)
(assert (price 0.0))
(assert (forall ((p Real)) (=> (price p) (price (+ p 0.25)))))
(assert (forall ((p Real)) (=> (and (price p) (not (<= (to_real (to_int p)) p))) false)))
(check-sat)
