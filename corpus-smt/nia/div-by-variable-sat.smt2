; a quotient and its remainder give the dividend back, without a remainder not always
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (<= 1 y 4))
(assert (<= (- 9) x 9))
(assert (distinct x (+ (* y (div x y)) 0)))
(check-sat)
