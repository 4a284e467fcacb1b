; rounding to the nearest is 0.5 away
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(assert (let ((n (to_real (to_int (+ x 0.5))))) (> (ite (> x n) (- x n) (- n x)) 0.5)))
(check-sat)
