; a, b := x, y
; a := a + b
; b := a - b
; a := a + b
; assert a = y and b = x
(set-logic HORN)
(set-info :status unsat)
(declare-fun l1 (Int Int Int Int) Bool)
(declare-fun l2 (Int Int Int Int) Bool)
(declare-fun l3 (Int Int Int Int) Bool)
(declare-fun l4 (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (and (= a x) (= b y)) (l1 x y a b))))
(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (l1 x y a b) (l2 x y (+ a b) b))))
(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (l2 x y a b) (l3 x y a (- a b)))))
(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (l3 x y a b) (l4 x y (+ a b) b))))
(assert (forall ((x Int) (y Int) (a Int) (b Int))
  (=> (and (l4 x y a b) (or (not (= a y)) (not (= b x)))) false)))
(check-sat)
