; between 3 and b there is no real
(set-logic ALL)
(set-info :status unsat)
(declare-fun b () Real)
(assert (< 3.0 b))
(assert (<= b 4.0))
(assert (not (exists ((x Real)) (and (< 3.0 x) (< x b)))))
(check-sat)
