; rounding up moves a number by more than a half
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (fp.lt ((_ to_fp 8 24) RNE 0.5) (fp.sub RNE r x)))
(assert (= r (fp.roundToIntegral RTP x)))
(assert (fp.lt (fp.abs x) ((_ to_fp 8 24) RNE 100.0)))
(check-sat)
