; x := y := 0; any number of times as long as y < 9: x := x + y, y := y + 1
; assert x >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< y 9)) (loop (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (not (>= x 0))) false)))
(check-sat)
