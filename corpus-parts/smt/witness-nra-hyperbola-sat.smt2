; A question about corpus-smt/nra/hyperbola-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (x) ((x 1.0) (y (/ 5.0 4.0))))")
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (* x y) 1.0))
(assert (< 0.0 x (/ 3.0 2.0)))
(assert (< 0.0 y (/ 3.0 2.0)))
(check-sat)
