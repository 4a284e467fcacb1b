; two names are exchanged by a let in a let: x is the disjunction then, and follows from the conjunction
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () Bool)
(declare-fun q () Bool)
(assert (let ((x (and p q)) (y (or p q))) (let ((x y) (y x)) (not (=> y x)))))
(check-sat)
