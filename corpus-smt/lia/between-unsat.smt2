; an integer strictly between 6 and 7
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (< 6 x))
(assert (< x 7))
(check-sat)
