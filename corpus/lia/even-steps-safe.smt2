; x := 0
; repeat any number of times:
;     x := x + 2
; assert x != 7
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (loop x) (loop (+ x 2)))))
(assert (forall ((x Int)) (=> (and (loop x) (= x 7)) false)))
(check-sat)
