; a, b := 0, 1
; repeat any number of times:
;     a, b := b, a + b
; assert (distinct b 13)
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 1))
(assert (forall ((a Int) (b Int)) (=> (loop a b) (loop b (+ a b)))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (not (distinct b 13))) false)))
(check-sat)
