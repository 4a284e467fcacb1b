; no single differs after a conversion to double precision and back
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (distinct x ((_ to_fp 8 24) RTZ ((_ to_fp 11 53) RNA x))))
(check-sat)
