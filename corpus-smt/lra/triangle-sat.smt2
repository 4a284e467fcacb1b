; a point above two lines and 1.25 a third
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (+ x y) 2.0))
(assert (>= (- x y) (- 1.0)))
(assert (<= (+ x (/ y 2.0)) 1.25))
(check-sat)
