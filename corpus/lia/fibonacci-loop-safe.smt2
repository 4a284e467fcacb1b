; a, b := 0, 1
; repeat any number of times:
;     a, b := b, a + b
; assert (>= b a)
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 1))
(assert (forall ((a Int) (b Int)) (=> (loop a b) (loop b (+ a b)))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (not (>= b a))) false)))
(check-sat)
