; a point of xy >= 1 with x and y below 0.75
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (* x y) 1.0))
(assert (< 0.0 x 0.75))
(assert (< 0.0 y 0.75))
(check-sat)
