; f counts in twos from 0, g in threes from 1
; assert that they never hold the same number below 5 but 0
(set-logic HORN)
(set-info :status unsat)
(declare-fun f (Int) Bool)
(declare-fun g (Int) Bool)
(assert (f 0))
(assert (forall ((x Int) (y Int)) (=> (and (f x) (< x 5) (= y (+ x 2))) (f y))))
(assert (g 1))
(assert (forall ((x Int) (y Int)) (=> (and (g x) (< x 5) (= y (+ x 3))) (g y))))
(assert (forall ((x Int)) (=> (and (f x) (g x) (not (or (= x 0) (> x 5)))) false)))
(check-sat)
