; assume 0 <= x <= 1
; repeat any number of times: x := x / 2 + 1
; assert x <= 3.0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Real) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (loop x))))
(assert (forall ((x Real) (y Real)) (=> (and (loop x) (= y (+ (* 0.5 x) 1.0))) (loop y))))
(assert (forall ((x Real)) (=> (and (loop x) (> x 3.0)) false)))
(check-sat)
