; A question about corpus-smt/fp/narrowed-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (x) ((x (fp #b0 #b01101111101 #b1111111111111111111110001010000110100011100111111010))))")
(declare-fun x () (_ FloatingPoint 11 53))
(assert (not (fp.isNaN x)))
(assert (distinct x ((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE x))))
(check-sat)
