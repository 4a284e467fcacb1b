; a condition with a quantifier chooses the bound wrongly
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= y (ite (exists ((z Int)) (= x (* 2 z))) 0 1)))
(assert (= (mod x 2) 0))
(assert (= y 1))
(check-sat)
