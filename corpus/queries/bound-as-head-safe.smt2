; x := 0
; while x < 10: x := x + 1
; and of every x reached it is asserted, as the head of a clause, that 0 <= x <= 10
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (and (loop x) (< x 10)) (loop (+ x 1)))))
(assert (forall ((x Int)) (=> (loop x) (<= 0 x))))
(assert (forall ((x Int)) (=> (loop x) (<= x 10))))
(check-sat)
