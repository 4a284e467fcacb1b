; a word is in two languages: b follows by b
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (str.in_re s (re.* (re.union (str.to_re "ab") (str.to_re "a")))))
(assert (str.in_re s (re.++ re.all (str.to_re "bb") re.all)))
(assert (= (str.len s) 3))
(check-sat)
