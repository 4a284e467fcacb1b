; the reciprocal of a normal number does not overflow
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.isPositive x))
(assert (fp.isInfinite (fp.div RNE ((_ to_fp 5 11) RNE 1.0) x)))
(assert (not (fp.isZero x)))
(assert (fp.isNormal x))
(check-sat)
