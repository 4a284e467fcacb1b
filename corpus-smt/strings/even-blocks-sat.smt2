; blocks of two or four characters: there are three
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(assert (str.in_re s (re.++ ((_ re.^ 2) (re.range "0" "1")) ((_ re.loop 0 2) (re.range "0" "1")))))
(assert (= (str.len s) 3))
(check-sat)
