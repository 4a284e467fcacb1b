; the parabola x*x - 2x + 0.5 goes below 0
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(assert (< (+ (- (* x x) (* 2.0 x)) 0.5) 0.0))
(assert (> x 0.0))
(check-sat)
