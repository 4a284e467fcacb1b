; A question about corpus-smt/nia/square-below-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x (- 7))))")
(declare-fun x () Int)
(assert (= (* x x) 49))
(assert (< x 0))
(check-sat)
