; a queue of two: the first is lost
(set-logic ALL)
(set-info :status unsat)
(declare-fun q () (Seq Int))
(declare-fun r () (Seq Int))
(assert (= (seq.len q) 2))
(assert (= r (seq.++ (seq.extract q 1 1) (seq.unit (seq.nth q 0)))))
(assert (distinct (seq.nth r 1) (seq.nth q 0)))
(check-sat)
