; two names are exchanged by a let in a let: x is the disjunction then, and does not imply the conjunction
(set-logic ALL)
(set-info :status sat)
(declare-fun p () Bool)
(declare-fun q () Bool)
(assert (let ((x (and p q)) (y (or p q))) (let ((x y) (y x)) (not (=> x y)))))
(check-sat)
