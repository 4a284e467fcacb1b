; a protocol alternates requests and answers: the fourth is an answer
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (str.in_re s (re.* (str.to_re "qa"))))
(assert (= (str.len s) 6))
(assert (= (str.at s 3) "a"))
(check-sat)
