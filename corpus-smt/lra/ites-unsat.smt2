; a clamped number is outside of its bounds
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun c () Real)
(assert (= c (ite (< x (- 1.5)) (- 1.5) (ite (> x 2.5) 2.5 x))))
(assert (or (< c (- 1.5)) (> c 2.5)))
(check-sat)
