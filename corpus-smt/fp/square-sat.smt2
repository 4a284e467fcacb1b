; the square of a number other than zero is zero
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (= r (fp.mul RNE x x)))
(assert (not (fp.isZero x)))
(assert (fp.isZero r))
(check-sat)
