; a square is 49
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (= (* x x) 49))
(assert (< x 0))
(check-sat)
