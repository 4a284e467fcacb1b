; a counter in single precision stops to count at 2^24
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (= x (fp.add RNE x ((_ to_fp 8 24) RNE 1.0))))
(assert (not (fp.isInfinite x)))
(assert (fp.isPositive x))
(check-sat)
