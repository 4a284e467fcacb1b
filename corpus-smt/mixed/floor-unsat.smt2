; the floor of x is above x - 1.0
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun n () Int)
(assert (= n (to_int x)))
(assert (not (< (- x 1.0) (to_real n))))
(assert (not (is_int x)))
(check-sat)
