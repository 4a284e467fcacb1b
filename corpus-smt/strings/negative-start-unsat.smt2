; a substring begins before the string: it has all characters
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () String)
(declare-fun i () Int)
(assert (< i 0))
(assert (= (str.len s) 3))
(assert (= (str.substr s i (- 5 i)) s))
(check-sat)
