; an inner x hides the outer one
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (exists ((x Int)) (and (not (p x)) (> x 5))))))
(assert (p x))
(assert (not (p (+ x 1))))
(check-sat)
