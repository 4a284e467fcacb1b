; a substring begins before the string: it is empty
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (< i 0))
(assert (= (str.len s) 3))
(assert (= (str.substr s i 5) ""))
(check-sat)
