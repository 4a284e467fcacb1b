; the reciprocal of a small number overflows
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.isPositive x))
(assert (fp.isInfinite (fp.div RNE ((_ to_fp 5 11) RNE 1.0) x)))
(assert (not (fp.isZero x)))
(check-sat)
