; rounding to the nearest is 0.25 away
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(assert (let ((n (to_real (to_int (+ x 0.5))))) (> (ite (> x n) (- x n) (- n x)) 0.25)))
(check-sat)
