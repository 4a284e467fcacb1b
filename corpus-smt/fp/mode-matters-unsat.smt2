; no two rounding modes give different sums with 2^-3
(set-logic ALL)
(set-info :status unsat)
(declare-fun m () RoundingMode)
(declare-fun n () RoundingMode)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (distinct (fp.add m ((_ to_fp 8 24) RNE 1.0) x) (fp.add n ((_ to_fp 8 24) RNE 1.0) x)))
(assert (= x (fp #b0 #b01111100 #b00000000000000000000000)))
(check-sat)
