; a number minus itself is never -0 if sums are rounded to the nearest
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (not (fp.isNaN x)))
(assert (not (fp.isInfinite x)))
(assert (= (_ -zero 8 24) (fp.sub RNE x x)))
(check-sat)
