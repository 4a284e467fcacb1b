; A drawn question to simplify: floats.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((f (fp #b0 #b100 #b000)) (g (_ NaN 3 4)) (m RTP) (x #b0000010)))")
(declare-fun f () (_ FloatingPoint 3 4))
(declare-fun g () (_ FloatingPoint 3 4))
(declare-fun m () RoundingMode)
(declare-fun x () (_ BitVec 7))
(assert (not (fp.lt (fp.div m (_ NaN 3 4) g) f)))
(check-sat)
