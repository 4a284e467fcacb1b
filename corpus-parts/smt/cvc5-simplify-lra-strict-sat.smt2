; A question about corpus-smt/lra/strict-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x (/ 1.0 3.0)) (y 0.0)))")
(declare-fun x () Real)
(declare-fun y () Real)
(assert (>= (* 3.0 x) 1.0))
(assert (<= (+ x y) (/ 1.0 3.0)))
(assert (= y 0.0))
(check-sat)
