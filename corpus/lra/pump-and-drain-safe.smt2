; two tanks are filled, 0.5 and 0.75 at a time, as long as the first holds less than 3;
; then drained, 0.5 and 0.75 at a time, as long as the first allows it
; assert that the second does not allow it either
(set-logic HORN)
(set-info :status sat)
(declare-fun pump (Real Real) Bool)
(declare-fun drain (Real Real) Bool)
(assert (pump 0.0 0.0))
(assert (forall ((x Real) (y Real)) (=> (and (pump x y) (< x 3.0)) (pump (+ x 0.5) (+ y 0.75)))))
(assert (forall ((x Real) (y Real)) (=> (pump x y) (drain x y))))
(assert (forall ((x Real) (y Real)) (=> (and (drain x y) (>= x 0.5)) (drain (- x 0.5) (- y 0.75)))))
(assert (forall ((x Real) (y Real)) (=> (and (drain x y) (< x 0.5) (>= y 0.75)) false)))
(check-sat)
