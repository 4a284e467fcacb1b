; A question about corpus-smt/mixtures/word-and-number-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (x n) ((x #b11111) (n 31)))")
(declare-fun x () (_ BitVec 5))
(declare-fun n () Int)
(assert (= n (bv2nat x)))
(assert (= (bv2nat (bvadd x #b00001)) (- n 31)))
(check-sat)
