; x := 0
; repeat for ever: x := x + 1;  nothing is asserted
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (loop x) (loop (+ x 1)))))
(check-sat)
