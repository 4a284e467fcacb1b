; (x + y)(x - y) = x*x - y*y
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (distinct (* (+ x y) (- x y)) (- (* x x) (* y y))))
(assert (<= 1 y 3))
(check-sat)
