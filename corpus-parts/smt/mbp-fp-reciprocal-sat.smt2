; A question about corpus-smt/fp/reciprocal-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (x) ((x (fp #b0 #b00000 #b0011010110))))")
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.isPositive x))
(assert (fp.isInfinite (fp.div RNE ((_ to_fp 5 11) RNE 1.0) x)))
(assert (not (fp.isZero x)))
(check-sat)
