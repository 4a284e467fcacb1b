; A question about corpus-smt/lia/div-of-div-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (x) ((x 5)))")
(declare-fun x () Int)
(assert (distinct (div (div x 2) 3) (div x 5)))
(assert (< (- 20) x 20))
(check-sat)
