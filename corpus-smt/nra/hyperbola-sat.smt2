; a point of xy >= 1 with x and y below 1.5
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (* x y) 1.0))
(assert (< 0.0 x 1.5))
(assert (< 0.0 y 1.5))
(check-sat)
