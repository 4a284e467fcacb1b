; something is put in front where the pattern is empty: the pattern is empty
(set-logic ALL)
(set-info :status sat)
(declare-fun s () String)
(declare-fun p () String)
(assert (= (str.replace s p "x") (str.++ "x" s)))
(assert (= p ""))
(assert (= s "y"))
(check-sat)
