; x := 0; up := true
; repeat: if up then x := x + 1 else x := x - 3;  up := x < 3
; assert x >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Bool) Bool)
(assert (loop 0 true))
(assert (forall ((x Int) (y Int) (up Bool))
  (=> (and (loop x up) (ite up (= y (+ x 1)) (= y (- x 3)))) (loop y (ite (< y 3) true false)))))
(assert (forall ((x Int) (up Bool)) (=> (loop x up) (ite up (>= x 0) (>= x (- 1))))))
(check-sat)
