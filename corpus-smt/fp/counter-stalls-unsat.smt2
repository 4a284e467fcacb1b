; below 2^24, a counter in single precision counts
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (= x (fp.add RNE x ((_ to_fp 8 24) RNE 1.0))))
(assert (not (fp.isInfinite x)))
(assert (fp.isPositive x))
(assert (fp.lt x ((_ to_fp 8 24) RNE 16777216.0)))
(check-sat)
