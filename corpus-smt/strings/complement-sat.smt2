; a word is not in a language: it has no a
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (str.in_re s (re.comp (re.++ re.all (str.to_re "a") re.all))))
(assert (= (str.len s) 2))
(assert (str.< "a" s))
(check-sat)
