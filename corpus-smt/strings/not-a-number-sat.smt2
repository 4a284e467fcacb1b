; a conversion fails: one character is not a digit
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (= (str.to_int s) (- 1)))
(assert (= (str.len s) 2))
(assert (str.is_digit (str.at s 0)))
(check-sat)
