; A drawn question to qe-lite: floats.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (g) ((f (fp #b0 #b000 #b001)) (g (fp #b0 #b110 #b111)) (m RNE) (x #b0000000)))")
(declare-fun f () (_ FloatingPoint 3 4))
(declare-fun g () (_ FloatingPoint 3 4))
(declare-fun m () RoundingMode)
(declare-fun x () (_ BitVec 7))
(assert (not (fp.leq (_ NaN 3 4) g)))
(check-sat)
