; A question about corpus-smt/fp/mode-matters-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (n) ((m RTP) (n RNE) (x (fp #b0 #b01100110 #b00000000000000000000000))))")
(declare-fun m () RoundingMode)
(declare-fun n () RoundingMode)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (distinct (fp.add m ((_ to_fp 8 24) RNE 1.0) x) (fp.add n ((_ to_fp 8 24) RNE 1.0) x)))
(assert (= x (fp #b0 #b01100110 #b00000000000000000000000)))
(check-sat)
