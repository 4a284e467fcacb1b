; A question about corpus-smt/lia/mod-chain-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x 105)))")
(declare-fun x () Int)
(assert (= (mod x 4) 1))
(assert (= (mod x 6) 3))
(assert (> x 100))
(check-sat)
