; abs(x) = -x if x < 0, else x;  max(x, y) = y if x > y, else x
; assert max(abs(x), abs(y)) >= x
(set-logic HORN)
(set-info :status unsat)
(declare-fun absolute (Int Int) Bool)
(declare-fun larger (Int Int Int) Bool)
(declare-fun main (Int Int Int) Bool)
(assert (forall ((x Int) (r Int)) (=> (and (< x 0) (= r (- x))) (absolute x r))))
(assert (forall ((x Int)) (=> (>= x 0) (absolute x x))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (= r (ite (> x y) y x)) (larger x y r))))
(assert (forall ((x Int) (y Int) (a Int) (b Int) (r Int))
  (=> (and (absolute x a) (absolute y b) (larger a b r)) (main x y r))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (main x y r) (or (< r x) (< r 0))) false)))
(check-sat)
