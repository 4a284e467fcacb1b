; 2x + 4y = 9
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (+ (* 2 x) (* 4 y)) 9))
(assert (> x y))
(check-sat)
