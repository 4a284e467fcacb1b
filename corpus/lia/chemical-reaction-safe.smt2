; A + B -> C and C -> A + B, from a molecules A, b molecules B and none of C
; assert that C never exceeds a
(set-logic HORN)
(set-info :status sat)
(declare-fun mixture (Int Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int) (x Int) (y Int) (z Int))
  (=> (and (>= a 0) (>= b 0) (= x a) (= y b) (= z 0)) (mixture a b x y z))))
(assert (forall ((a Int) (b Int) (x Int) (y Int) (z Int))
  (=> (and (mixture a b x y z) (> x 0) (> y 0)) (mixture a b (- x 1) (- y 1) (+ z 1)))))
(assert (forall ((a Int) (b Int) (x Int) (y Int) (z Int))
  (=> (and (mixture a b x y z) (> z 0)) (mixture a b (+ x 1) (+ y 1) (- z 1)))))
(assert (forall ((a Int) (b Int) (x Int) (y Int) (z Int)) (=> (and (mixture a b x y z) (> z a)) false)))
(check-sat)
