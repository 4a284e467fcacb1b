; the parabola x*x - 2x + 1.25 goes below 0
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(assert (< (+ (- (* x x) (* 2.0 x)) 1.25) 0.0))
(assert (> x 0.0))
(check-sat)
