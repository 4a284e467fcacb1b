; rounding down does not make a number larger
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (fp.lt ((_ to_fp 8 24) RNE 0.5) (fp.sub RNE r x)))
(assert (= r (fp.roundToIntegral RTN x)))
(check-sat)
