; A question about corpus-smt/lia/euclid-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x (- 10))))")
(declare-fun x () Int)
(assert (< x 0))
(assert (= (div x 3) (- 4)))
(assert (= (mod x 3) 2))
(check-sat)
