; between 3 and b there is no integer
(set-logic ALL)
(set-info :status sat)
(declare-fun b () Real)
(assert (< 3.0 b))
(assert (<= b 4.0))
(assert (not (exists ((x Int)) (and (< 3.0 (to_real x)) (< (to_real x) b)))))
(check-sat)
