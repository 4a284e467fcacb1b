; each integer has one below it
(set-logic ALL)
(set-info :status sat)
(declare-fun p () Bool)
(assert (= p (forall ((x Int)) (exists ((y Int)) (and (< y x) (< y (+ x 1)))))))
(assert (= p true))
(check-sat)
