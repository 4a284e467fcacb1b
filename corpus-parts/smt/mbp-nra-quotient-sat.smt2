; A question about corpus-smt/nra/quotient-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (y) ((x 1.0) (y (/ 5.0 4.0))))")
(declare-fun x () Real)
(declare-fun y () Real)
(assert (< 0.0 x))
(assert (< x y))
(assert (> (/ x y) (/ 3.0 4.0)))
(check-sat)
