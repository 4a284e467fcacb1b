; an inner x hides the outer one, and none is above 5
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (exists ((x Int)) (and (not (p x)) (> x 5))))))
(assert (p x))
(assert (forall ((y Int)) (=> (> y 5) (p y))))
(check-sat)
