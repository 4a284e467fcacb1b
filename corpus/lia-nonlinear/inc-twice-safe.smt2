; inc(x) = x + 1
; twice(x) = inc(inc(x))
; assert twice(x) = x + 2
(set-logic HORN)
(set-info :status sat)
(declare-fun inc (Int Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (inc x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inc x y) (inc y z)) (twice x z))))
(assert (forall ((x Int) (y Int)) (=> (and (twice x y) (not (= y (+ x 2)))) false)))
(check-sat)
