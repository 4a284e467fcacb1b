; paid := 0
; repeat any number of times:
;     paid := paid + 3 or paid := paid + 5
; assert paid != 14
(set-logic HORN)
(set-info :status unsat)
(declare-fun paid (Int) Bool)
(assert (paid 0))
(assert (forall ((x Int) (y Int)) (=> (and (paid x) (or (= y (+ x 3)) (= y (+ x 5)))) (paid y))))
(assert (=> (paid 14) false))
(check-sat)
