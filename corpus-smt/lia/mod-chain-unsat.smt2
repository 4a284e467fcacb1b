; a number is 2 modulo 4 and 3 modulo 6
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (= (mod x 4) 2))
(assert (= (mod x 6) 3))
(assert (> x 100))
(check-sat)
