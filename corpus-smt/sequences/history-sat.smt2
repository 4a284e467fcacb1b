; a history of states as a function: the second entry is one
(set-logic ALL)
(set-info :status sat)
(declare-fun h (Int) (Seq Int))
(assert (= (h 0) (as seq.empty (Seq Int))))
(assert (= (h 1) (seq.++ (h 0) (seq.unit 0))))
(assert (= (h 2) (seq.++ (h 1) (seq.unit 1))))
(assert (= (seq.nth (h 2) 1) 1))
(check-sat)
