; A question about corpus-smt/fp/square-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (demodulator bv-slice) ((x (fp #b1 #b00010000 #b01111100110011001001101)) (r (_ +zero 8 24))))")
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (= r (fp.mul RNE x x)))
(assert (not (fp.isZero x)))
(assert (fp.isZero r))
(check-sat)
