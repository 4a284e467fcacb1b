; two different numbers are equal for IEEE arithmetic
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ FloatingPoint 11 53))
(declare-fun y () (_ FloatingPoint 11 53))
(assert (fp.eq x y))
(assert (distinct x y))
(check-sat)
