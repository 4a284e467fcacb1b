; x, y := 0, 0
; repeat any number of times:
;     x, y := x + 1, y + 2
; assert x = y
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (loop x y) (= x1 (+ x 1)) (= y1 (+ y 2))) (loop x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (not (= x y))) false)))
(check-sat)
