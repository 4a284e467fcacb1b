(set-logic HORN)
(assert (=> (<= 0 (div (- 1) 1 (- 1))) false))
(check-sat)
