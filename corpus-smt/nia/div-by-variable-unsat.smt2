; a quotient and its remainder give the dividend back
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (<= 1 y 4))
(assert (<= (- 9) x 9))
(assert (distinct x (+ (* y (div x y)) (mod x y))))
(check-sat)
