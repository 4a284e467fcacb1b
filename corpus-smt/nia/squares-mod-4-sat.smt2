; a sum of two squares is 2 modulo 4
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (mod (+ (* x x) (* y y)) 4) 2))
(assert (<= 0 x 5))
(assert (<= 0 y 5))
(check-sat)
