; A question about corpus-smt/lia/between-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (occf) ((x 6)))")
(declare-fun x () Int)
(assert (< 5 x))
(assert (< x 7))
(check-sat)
