; A question about corpus-smt/mixtures/number-to-word-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((n (- 3))))")
(declare-fun n () Int)
(assert (= ((_ int2bv 3) n) #b101))
(assert (= (mod n 8) 5))
(assert (< n 0))
(check-sat)
