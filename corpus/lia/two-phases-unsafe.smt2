; x, y := 0, 0
; while x < 10:
;     if x < 5: x := x + 1
;     else: x, y := x + 1, y + 1
; assert y = 6
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 10) (< x 5)) (loop (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 10) (>= x 5)) (loop (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 10) (distinct y 6)) false)))
(check-sat)
