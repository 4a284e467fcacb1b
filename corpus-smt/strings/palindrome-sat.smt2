; three characters are the same from both sides: the one in the middle differs
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (= (str.len s) 3))
(assert (= (str.at s 0) (str.at s 2)))
(assert (distinct (str.at s 0) (str.at s 1)))
(check-sat)
