; x, y := 0, 10
; while x < y: x, y := x + 1, y - 1
; assert x <= 5 in the loop;  assert y >= 5 in the loop;  assert x = y after it
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 10))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x y)) (loop (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (> x 5)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< y 5)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x y) (not (= x y))) false)))
(check-sat)
