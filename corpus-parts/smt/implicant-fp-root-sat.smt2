; A question about corpus-smt/fp/root-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x (fp #b0 #b01100 #b1111111101))))")
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.lt (_ +zero 5 11) x))
(assert (fp.lt x (fp.sqrt RNE x)))
(check-sat)
