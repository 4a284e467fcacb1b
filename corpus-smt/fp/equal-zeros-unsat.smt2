; two different numbers other than zero are never equal for IEEE arithmetic
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 11 53))
(declare-fun y () (_ FloatingPoint 11 53))
(assert (fp.eq x y))
(assert (distinct x y))
(assert (not (fp.isZero x)))
(check-sat)
