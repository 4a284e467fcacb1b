; A number of half precision that is at least 1 and at most 1 is not below 1 as a real number.
; With a lower bound below 1 it may be; Z3 computes a wrong power of two for negative exponents.
(set-logic ALL)
(declare-fun x () (_ FloatingPoint 5 11))
(declare-fun r () Real)
(assert (fp.leq (fp #b0 #b01111 #b0000000000) x))
(assert (fp.leq x ((_ to_fp 5 11) RNE 1.0)))
(assert (= r (fp.to_real x)))
(assert (< r 1.0))
(check-sat)
