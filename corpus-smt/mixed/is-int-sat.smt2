; x and x / 3.0 are integers, and x is odd
(set-logic ALL)
(set-info :status sat)
(declare-fun n () Int)
(assert (is_int (/ (to_real n) 3.0)))
(assert (= (mod n 2) 1))
(check-sat)
