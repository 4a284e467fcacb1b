; a protocol alternates requests and answers: the fourth is a request
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (str.in_re s (re.* (str.to_re "qa"))))
(assert (= (str.len s) 6))
(assert (= (str.at s 3) "q"))
(check-sat)
