; a double differs after a conversion to single precision and back
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 11 53))
(assert (not (fp.isNaN x)))
(assert (distinct x ((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE x))))
(check-sat)
