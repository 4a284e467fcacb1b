; A number a little below -1/4 is rounded to a signed bit-vector of one bit, which is 0.
; Rounded down, it is -1, the least number of one bit; Bitwuzla takes it for out of range.
(set-logic ALL)
(declare-fun v () (_ BitVec 1))
(declare-fun x () (_ FloatingPoint 8 24))
(assert (= x (fp #b1 #b01111101 #b00000000000000000000001)))
(assert (= v ((_ fp.to_sbv 1) RNE x)))
(assert (= v #b0))
(check-sat)
