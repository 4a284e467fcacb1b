; a formula with quantified Booleans, one of which is wrong
(set-logic ALL)
(set-info :status unsat)
(declare-fun q () Bool)
(assert (forall ((x Bool)) (exists ((y Bool)) (= (xor x y) q))))
(assert (= q (forall ((x Bool)) (or x (and x q)))))
(assert q)
(check-sat)
