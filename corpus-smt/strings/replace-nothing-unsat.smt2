; something is put in front where the pattern is empty: a prefix is the pattern, and it is not empty
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun p () String)
(assert (= (str.replace s p "x") (str.++ "x" s)))
(assert (str.prefixof p s))
(assert (distinct p ""))
(check-sat)
