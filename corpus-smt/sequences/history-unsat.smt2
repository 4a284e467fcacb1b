; a history of states as a function: an entry is lost
(set-logic ALL)
(set-info :status unsat)
(declare-fun h (Int) (Seq Int))
(assert (= (h 0) (as seq.empty (Seq Int))))
(assert (= (h 1) (seq.++ (h 0) (seq.unit 0))))
(assert (= (h 2) (seq.++ (h 1) (seq.unit 1))))
(assert (not (seq.prefixof (h 1) (h 2))))
(check-sat)
