; the first quote of a text is doubled: two are doubled, although the first one alone is replaced
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun q () String)
(assert (= q (str.replace s "'" "''")))
(assert (= (str.len s) 3))
(assert (= (str.len q) 5))
(check-sat)
