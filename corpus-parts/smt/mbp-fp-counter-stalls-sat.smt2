; A question about corpus-smt/fp/counter-stalls-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (x) ((x (fp #b0 #b11000111 #b11011000100100100011001))))")
(declare-fun x () (_ FloatingPoint 8 24))
(assert (= x (fp.add RNE x ((_ to_fp 8 24) RNE 1.0))))
(assert (not (fp.isInfinite x)))
(assert (fp.isPositive x))
(check-sat)
