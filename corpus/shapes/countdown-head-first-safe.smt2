; from n, at most 10, count down in ones or in twos to 0; assert that the sum of n and what is left
; is at most 20; shape of the clauses: head-first
(set-logic HORN)
(set-info :status sat)
(declare-fun start (Int) Bool)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (or (start n) (not (and (<= 0 n) (<= n 10))))))
(assert (forall ((n Int)) (or (loop n n) (not (start n)))))
(assert (forall ((n Int) (x Int) (y Int))
  (or (loop n y) (not (and (loop n x) (> x 0) (or (= y (- x 1)) (= y (- x 2))) (>= y 0))))))
(assert (forall ((n Int) (x Int)) (or false (not (and (loop n x) (start n) (> (+ n x) 20))))))
(check-sat)
