; a number that 4 and 3 divide and 12 does not
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (= 0 (mod x 4)))
(assert (= (mod x 3) 0))
(assert (distinct (mod x 12) 0))
(assert (> x 0))
(check-sat)
