; a word is not in a language: it has an a
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (str.in_re s (re.comp (re.++ re.all (str.to_re "a") re.all))))
(assert (= (str.len s) 2))
(assert (str.contains s "a"))
(check-sat)
