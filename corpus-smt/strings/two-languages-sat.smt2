; a word is in two languages: b follows by a
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (str.in_re s (re.* (re.union (str.to_re "ab") (str.to_re "a")))))
(assert (str.in_re s (re.++ re.all (str.to_re "ba"))))
(check-sat)
