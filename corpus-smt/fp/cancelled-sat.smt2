; a number minus itself is -0 if sums are rounded down
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.isNaN x)))
(assert (not (fp.isInfinite x)))
(assert (= (_ -zero 8 24) (fp.sub RTN x x)))
(check-sat)
