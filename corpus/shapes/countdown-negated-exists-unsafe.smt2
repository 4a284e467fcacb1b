; from n, at most 10, count down in ones or in twos to 0; assert that the sum of n and what is left
; is at most 19; shape of the clauses: negated-exists
(set-logic HORN)
(set-info :status unsat)
(declare-fun start (Int) Bool)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (not (and (<= 0 n) (<= n 10) (not (start n))))))
(assert (forall ((n Int)) (not (and (start n) (not (loop n n))))))
(assert (forall ((n Int) (x Int) (y Int))
  (not (and (loop n x) (> x 0) (or (= y (- x 1)) (= y (- x 2))) (>= y 0) (not (loop n y))))))
(assert (not (exists ((n Int) (x Int)) (and (loop n x) (start n) (> (+ n x) 19)))))
(check-sat)
