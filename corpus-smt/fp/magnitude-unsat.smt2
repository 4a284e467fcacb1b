; no magnitude is below zero
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (fp.lt (fp.abs x) (_ -zero 8 24)))
(check-sat)
