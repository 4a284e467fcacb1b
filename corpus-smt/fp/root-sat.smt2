; the square root of a number is greater than the number
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 5 11))
(assert (fp.lt (_ +zero 5 11) x))
(assert (fp.lt x (fp.sqrt RNE x)))
(check-sat)
