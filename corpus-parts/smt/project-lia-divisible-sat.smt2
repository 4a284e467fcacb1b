; A question about corpus-smt/lia/divisible-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x) ((x 4)))")
(declare-fun x () Int)
(assert (= 0 (mod x 4)))
(assert (= (mod x 2) 0))
(assert (distinct (mod x 12) 0))
(assert (> x 0))
(check-sat)
