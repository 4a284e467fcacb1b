; A question about corpus-smt/fp/to-integer-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (r) ((x (fp #b1 #b10000101 #b10000011111111011111111)) (r (fp #b1 #b10000101 #b10000000000000000000000))))")
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (fp.lt ((_ to_fp 8 24) RNE (/ 1.0 2.0)) (fp.sub RNE r x)))
(assert (= r (fp.roundToIntegral RTP x)))
(assert (fp.lt (fp.abs x) ((_ to_fp 8 24) RNE 100.0)))
(check-sat)
