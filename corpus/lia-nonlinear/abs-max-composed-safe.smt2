; abs(x) = -x if x < 0, else x;  max(x, y) = y if x < y, else x
; assert max(abs(x), abs(y)) >= x
(set-logic HORN)
(set-info :status sat)
(declare-fun abs (Int Int) Bool)
(declare-fun max (Int Int Int) Bool)
(declare-fun main (Int Int Int) Bool)
(assert (forall ((x Int) (r Int)) (=> (and (< x 0) (= r (- x))) (abs x r))))
(assert (forall ((x Int)) (=> (>= x 0) (abs x x))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (= r (ite (< x y) y x)) (max x y r))))
(assert (forall ((x Int) (y Int) (a Int) (b Int) (r Int))
  (=> (and (abs x a) (abs y b) (max a b r)) (main x y r))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (main x y r) (or (< r x) (< r 0))) false)))
(check-sat)
