; A question about corpus-smt/bv/arithmetic-shift-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x) ((x #b11100)))")
(declare-fun x () (_ BitVec 5))
(assert (bvslt x #b00000))
(assert (distinct x #b11111))
(assert (= #b11111 (bvashr x #b00010)))
(check-sat)
