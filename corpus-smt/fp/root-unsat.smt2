; the square root of a number above 1 is not greater than the number
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.lt (_ +zero 5 11) x))
(assert (fp.lt ((_ to_fp 5 11) RNE 1.0) x))
(assert (fp.lt x (fp.sqrt RNE x)))
(check-sat)
