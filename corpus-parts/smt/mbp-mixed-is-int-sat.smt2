; A question about corpus-smt/mixed/is-int-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (n) ((n (- 3))))")
(declare-fun n () Int)
(assert (is_int (/ (to_real n) 3.0)))
(assert (= (mod n 2) 1))
(check-sat)
