; two tanks share 10 litres; a pump moves up to a half of one into the other, of which 1.0 arrives
; assert that together they always hold 10 litres
(set-logic HORN)
(set-info :status sat)
(declare-fun tanks (Real Real) Bool)
(assert (tanks 4.0 6.0))
(assert (forall ((a Real) (b Real) (move Real))
  (=> (and (tanks a b) (<= 0.0 move) (<= (* 2.0 move) a)) (tanks (- a move) (+ b (* 1.0 move))))))
(assert (forall ((a Real) (b Real) (move Real))
  (=> (and (tanks a b) (<= 0.0 move) (<= (* 2.0 move) b)) (tanks (+ a move) (- b move)))))
(assert (forall ((a Real) (b Real)) (=> (and (tanks a b) (distinct (+ a b) 10.0)) false)))
(check-sat)
