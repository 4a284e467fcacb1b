; A question about corpus-smt/nra/parabola-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (x) ((x 1.0)))")
(declare-fun x () Real)
(assert (< (+ (- (* x x) (* 2.0 x)) (/ 1.0 2.0)) 0.0))
(assert (> x 0.0))
(check-sat)
