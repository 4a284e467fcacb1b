; a queue of two: the second comes first
(set-logic ALL)
(set-info :status sat)
(declare-fun q () (Seq Int))
(declare-fun r () (Seq Int))
(assert (= (seq.len q) 2))
(assert (= r (seq.++ (seq.extract q 1 1) (seq.unit (seq.nth q 0)))))
(assert (= (seq.nth r 0) 5))
(check-sat)
