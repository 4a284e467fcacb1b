; 2x + 4y = 10
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (+ (* 2 x) (* 4 y)) 10))
(assert (> x y))
(check-sat)
