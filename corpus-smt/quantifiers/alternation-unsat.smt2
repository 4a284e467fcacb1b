; each integer has one below it, not above 0
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () Bool)
(assert (= p (forall ((x Int)) (exists ((y Int)) (and (< y x) (> y 0))))))
(assert (= p true))
(check-sat)
