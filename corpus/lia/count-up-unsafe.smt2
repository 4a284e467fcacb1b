; x := 0
; while x < 10:
;     x := x + 1
; assert x = 11
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x) (< x 10) (= y (+ x 1))) (loop y))))
(assert (forall ((x Int)) (=> (and (loop x) (>= x 10) (not (= x 11))) false)))
(check-sat)
