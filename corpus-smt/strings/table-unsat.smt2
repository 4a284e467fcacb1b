; a table of names: the same key
(set-logic ALL)
(set-info :status unsat)
(declare-fun t () (Array String Int))
(declare-fun k () String)
(assert (= (select (store t "a" 1) k) 2))
(assert (= (select t "a") 2))
(assert (str.in_re k (str.to_re "a")))
(check-sat)
