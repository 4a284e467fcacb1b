; the floor of x is above x - 0.5
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun n () Int)
(assert (= n (to_int x)))
(assert (not (< (- x 0.5) (to_real n))))
(assert (not (is_int x)))
(check-sat)
