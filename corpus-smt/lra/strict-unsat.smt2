; a number at least 1/3 and < 1/3
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (* 3.0 x) 1.0))
(assert (< (+ x y) (/ 1.0 3.0)))
(assert (= y 0.0))
(check-sat)
