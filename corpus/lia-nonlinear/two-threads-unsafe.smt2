; x := 0
; thread A, again and again: atomically x := x + 1 if x < 4
; thread B, again and again: atomically x := x - 1 if x > 0
; each thread has its invariant, and keeps it under what the other does
; assert 0 <= x <= 3
(set-logic HORN)
(set-info :status unsat)
(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int) Bool)
(assert (a 0 0))
(assert (b 0 0))
; a step of each thread from its test to its assignment
(assert (forall ((x Int)) (=> (and (a 0 x) (< x 4)) (a 1 x))))
(assert (forall ((x Int)) (=> (and (a 1 x) (< x 4)) (a 0 (+ x 1)))))
(assert (forall ((x Int)) (=> (and (b 0 x) (> x 0)) (b 1 x))))
(assert (forall ((x Int)) (=> (and (b 1 x) (> x 0)) (b 0 (- x 1)))))
; interference
(assert (forall ((x Int) (p Int)) (=> (and (a p x) (b 1 x) (> x 0)) (a p (- x 1)))))
(assert (forall ((x Int) (p Int)) (=> (and (b p x) (a 1 x) (< x 4)) (b p (+ x 1)))))
(assert (forall ((x Int) (p Int) (q Int)) (=> (and (a p x) (b q x) (not (and (<= 0 x) (<= x 3)))) false)))
(check-sat)
