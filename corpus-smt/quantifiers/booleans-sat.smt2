; a formula with quantified Booleans
(set-logic ALL)
(set-info :status sat)
(declare-fun q () Bool)
(assert (forall ((x Bool)) (exists ((y Bool)) (= (xor x y) q))))
(assert (= q (forall ((x Bool)) (or x (not x)))))
(assert q)
(check-sat)
