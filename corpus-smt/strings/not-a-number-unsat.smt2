; a conversion fails: all characters are digits
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(assert (= (str.to_int s) (- 1)))
(assert (= s "007"))
(check-sat)
