; the first quote of a text is doubled: one is there
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun q () String)
(assert (= q (str.replace s "'" "''")))
(assert (= (str.len s) 3))
(assert (= (str.len q) 4))
(check-sat)
