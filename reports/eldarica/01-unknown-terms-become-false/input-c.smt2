(set-logic HORN)
(assert (=> (> (to_int 1.0) 1) false))
(check-sat)
