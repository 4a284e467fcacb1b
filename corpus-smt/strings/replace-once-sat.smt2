; the first occurrence is replaced: there were two
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun t () String)
(assert (= t (str.replace s "a" "b")))
(assert (= (str.len s) 2))
(assert (str.contains t "a"))
(check-sat)
