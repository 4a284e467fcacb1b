; x / y is above 0.75 for y above x above 0
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (< 0.0 x))
(assert (< x y))
(assert (> (/ x y) 0.75))
(check-sat)
