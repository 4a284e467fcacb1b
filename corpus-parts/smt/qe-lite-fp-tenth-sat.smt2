; A question about corpus-smt/fp/tenth-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (r) ((r (/ 13421773.0 134217728.0))))")
(declare-fun r () Real)
(assert (= r (fp.to_real ((_ to_fp 8 24) RNE (/ 1.0 10.0)))))
(assert (> r (/ 1.0 10.0)))
(check-sat)
