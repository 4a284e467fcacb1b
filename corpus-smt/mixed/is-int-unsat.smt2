; x and x / 4.0 are integers, and x is odd
(set-logic ALL)
(set-info :status unsat)
(declare-fun n () Int)
(assert (is_int (/ (to_real n) 4.0)))
(assert (= (mod n 2) 1))
(check-sat)
