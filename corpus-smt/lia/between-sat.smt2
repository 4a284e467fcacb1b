; an integer strictly between 5 and 7
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (< 5 x))
(assert (< x 7))
(check-sat)
