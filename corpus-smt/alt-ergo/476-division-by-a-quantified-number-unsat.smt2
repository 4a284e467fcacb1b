; a number divides 12 with a quotient above 12; it is not 0
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (exists ((v Int)) (and (distinct v 0) (= (mod 12 v) 0) (= x (div 12 v)) (< (- 4) v 4))))
(assert (> x 12))
(check-sat)
