; x / y is above 1.0 for y above x above 0
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (< 0.0 x))
(assert (< x y))
(assert (> (/ x y) 1.0))
(check-sat)
