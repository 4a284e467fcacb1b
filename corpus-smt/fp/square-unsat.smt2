; no square has a sign
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(declare-fun r () (_ FloatingPoint 8 24))
(assert (= r (fp.mul RNE x x)))
(assert (fp.isNegative r))
(check-sat)
