; if x < 0: y := -x else y := x
; assert y >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun start (Int) Bool)
(declare-fun end (Int Int) Bool)
(assert (forall ((x Int)) (start x)))
(assert (forall ((x Int) (y Int)) (=> (and (start x) (< x 0) (= y (- x))) (end x y))))
(assert (forall ((x Int) (y Int)) (=> (and (start x) (not (< x 0)) (= y x)) (end x y))))
(assert (forall ((x Int) (y Int)) (=> (and (end x y) (< y 0)) false)))
(check-sat)
