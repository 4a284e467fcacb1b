; The largest number of single precision times itself plus itself overflows, rounded once.
; When it rounds to zero, the result is the largest number, and Z3 computes an infinity.
(set-logic ALL)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun y () (_ FloatingPoint 8 24))
(assert (= y (fp #b0 #b11111110 #b11111111111111111111111)))
(assert (= x (fp.fma RNE y y y)))
(assert (fp.isInfinite x))
(check-sat)
