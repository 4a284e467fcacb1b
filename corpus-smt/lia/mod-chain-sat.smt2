; a number is 1 modulo 4 and 3 modulo 6
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (= (mod x 4) 1))
(assert (= (mod x 6) 3))
(assert (> x 100))
(check-sat)
