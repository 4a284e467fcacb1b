; x, y := 0, 0
; repeat any number of times: next := x + 1; x, y := next, next + 1
; assert y - x <= 1
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
(assert (forall ((x Int) (y Int))
  (let ((next (+ x 1)) (here (loop x y)))
    (let ((after (+ next 1))) (=> (and here (<= y (+ x 1))) (loop next after))))))
(assert (forall ((x Int) (y Int)) (let ((d (- y x))) (=> (and (loop x y) (> d 1)) false))))
(check-sat)
