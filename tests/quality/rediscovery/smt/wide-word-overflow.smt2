; A word of 70 bits, rounded to half precision, is below 60000.
; A word of at least 2^69 overflows; Z3 cuts off bits of its exponent.
(set-logic ALL)
(declare-fun v () (_ BitVec 70))
(declare-fun x () (_ FloatingPoint 5 11))
(assert (bvuge v #b0000000000000000000000000000000000000000000000000000000000000000000000))
(assert (= x ((_ to_fp_unsigned 5 11) RTZ v)))
(assert (fp.lt x ((_ to_fp 5 11) RNE 60000.0)))
(check-sat)
