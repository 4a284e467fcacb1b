; a number that 4 and 2 divide and 12 does not
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (= 0 (mod x 4)))
(assert (= (mod x 2) 0))
(assert (distinct (mod x 12) 0))
(assert (> x 0))
(check-sat)
