; x divided by each number from 1 to 3 is < x
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (forall ((v Int)) (=> (<= 1 v 3) (< (div x v) x))))
(assert (<= 1 x 9))
(check-sat)
