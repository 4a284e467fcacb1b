; x, up := 0, 1
; repeat for ever:
;     if up = 1: x := x + 1 else x := x - 1
;     if x = 5: up := 0
;     if x = 0: up := 1
;     assert x <= 5
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 1))
(assert (forall ((x Int) (up Int) (x1 Int) (up1 Int))
  (=> (and (loop x up)
           (= x1 (ite (= up 1) (+ x 1) (- x 1)))
           (= up1 (ite (= x1 5) 0 (ite (= x1 0) 1 up))))
      (loop x1 up1))))
(assert (forall ((x Int) (up Int)) (=> (and (loop x up) (> x 5)) false)))
(check-sat)
