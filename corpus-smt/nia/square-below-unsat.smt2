; a square is 48
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (= (* x x) 48))
(assert (< x 0))
(check-sat)
