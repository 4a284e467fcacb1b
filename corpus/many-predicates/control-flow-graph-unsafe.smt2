; b0: x := 0; y := any number from 0 to 5
; b1: if y > 0 goto b2 else goto b6
; b2: if y is odd goto b3 else goto b4
; b3: x := x + 1; goto b5
; b4: x := x + 2; goto b5
; b5: y := y - 1; goto b1
; b6: assert x <= 5
(set-logic HORN)
(set-info :status unsat)
(declare-fun b0 (Int Int) Bool)
(declare-fun b1 (Int Int) Bool)
(declare-fun b2 (Int Int) Bool)
(declare-fun b3 (Int Int) Bool)
(declare-fun b4 (Int Int) Bool)
(declare-fun b5 (Int Int) Bool)
(declare-fun b6 (Int Int) Bool)
(assert (forall ((y Int)) (=> (and (<= 0 y) (<= y 5)) (b0 0 y))))
(assert (forall ((x Int) (y Int)) (=> (b0 x y) (b1 x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b1 x y) (> y 0)) (b2 x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b1 x y) (not (> y 0))) (b6 x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b2 x y) (= (mod y 2) 1)) (b3 x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b2 x y) (= (mod y 2) 0)) (b4 x y))))
(assert (forall ((x Int) (y Int)) (=> (b3 x y) (b5 (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (b4 x y) (b5 (+ x 2) y))))
(assert (forall ((x Int) (y Int)) (=> (b5 x y) (b1 x (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (b6 x y) (> x 5)) false)))
(check-sat)
