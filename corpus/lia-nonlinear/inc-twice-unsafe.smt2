; inc(x) = x + 1
; twice(x) = inc(inc(x))
; assert twice(x) = x + 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun inc (Int Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (inc x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inc x y) (inc y z)) (twice x z))))
(assert (forall ((x Int) (y Int)) (=> (and (twice x y) (not (= y (+ x 1)))) false)))
(check-sat)
