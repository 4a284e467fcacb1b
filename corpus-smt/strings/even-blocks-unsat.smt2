; blocks of two or four characters: there are five
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (str.in_re s (re.++ ((_ re.^ 2) (re.range "0" "1")) ((_ re.loop 0 2) (re.range "0" "1")))))
(assert (= (str.len s) 5))
(check-sat)
