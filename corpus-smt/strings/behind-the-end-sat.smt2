; a substring begins behind the end: it is empty
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (>= i (str.len s)))
(assert (= (str.substr s i 1) ""))
(assert (distinct s ""))
(check-sat)
