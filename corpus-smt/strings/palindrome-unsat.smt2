; three characters are the same from both sides: the reversed one differs
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (= (str.len s) 3))
(assert (= (str.at s 0) (str.at s 2)))
(assert (distinct s (str.++ (str.at s 2) (str.at s 1) (str.at s 0))))
(check-sat)
