; x := 0; any number of times: x := x + 3 or x := x + 6
; assert that x is no 3 k + 2
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (loop x) (loop (+ x 3)))))
(assert (forall ((x Int)) (=> (loop x) (loop (+ x 6)))))
(assert (forall ((k Int) (x Int)) (=> (and (loop x) (= x (+ (* 3 k) 2))) false)))
(check-sat)
