; a number divides 12 with a quotient above 6; it is not 0
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (exists ((v Int)) (and (distinct v 0) (= (mod 12 v) 0) (= x (div 12 v)) (< (- 4) v 4))))
(assert (> x 6))
(check-sat)
