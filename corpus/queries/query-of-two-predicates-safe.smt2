; two walkers on the numbers, one from 0 upwards in steps of 2, one from 11 downwards in steps of 3
; assert that they never both stand on 5
(set-logic HORN)
(set-info :status sat)
(declare-fun up (Int) Bool)
(declare-fun down (Int) Bool)
(assert (up 0))
(assert (forall ((x Int)) (=> (and (up x) (< x 10)) (up (+ x 2)))))
(assert (down 11))
(assert (forall ((x Int)) (=> (and (down x) (> x 0)) (down (- x 3)))))
(assert (=> (and (up 5) (down 5)) false))
(assert (forall ((x Int)) (=> (and (up x) (< x 0)) false)))
(check-sat)
