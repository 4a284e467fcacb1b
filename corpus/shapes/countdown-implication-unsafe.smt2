; from n, at most 10, count down in ones or in twos to 0; assert that the sum of n and what is left
; is at most 19; shape of the clauses: implication
(set-logic HORN)
(set-info :status unsat)
(declare-fun start (Int) Bool)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 10)) (start n))))
(assert (forall ((n Int)) (=> (start n) (loop n n))))
(assert (forall ((n Int) (x Int) (y Int))
  (=> (and (loop n x) (> x 0) (or (= y (- x 1)) (= y (- x 2))) (>= y 0)) (loop n y))))
(assert (forall ((n Int) (x Int)) (=> (and (loop n x) (start n) (> (+ n x) 19)) false)))
(check-sat)
