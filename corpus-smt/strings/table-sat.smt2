; a table of names: another key
(set-logic ALL)
(set-info :status sat)
(declare-fun t () (Array String Int))
(declare-fun k () String)
(assert (= (select (store t "a" 1) k) 2))
(assert (= (select t "a") 2))
(assert (= (str.len k) 1))
(check-sat)
