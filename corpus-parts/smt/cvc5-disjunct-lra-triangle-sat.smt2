; A question about corpus-smt/lra/triangle-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x) ((x (/ 1.0 2.0)) (y (/ 3.0 2.0))))")
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (+ x y) 2.0))
(assert (>= (- x y) (- 1.0)))
(assert (<= (+ x (/ y 2.0)) (/ 5.0 4.0)))
(check-sat)
