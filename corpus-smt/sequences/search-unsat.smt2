; an element is found: behind the end
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun k () Int)
(assert (= k (seq.indexof s (seq.unit 3) 0)))
(assert (= (seq.len s) 2))
(assert (= k 2))
(check-sat)
