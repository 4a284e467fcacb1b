; a numeral is converted and printed: leading zeros are lost
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun n () Int)
(assert (= n (str.to_int s)))
(assert (>= n 0))
(assert (distinct s (str.from_int n)))
(check-sat)
