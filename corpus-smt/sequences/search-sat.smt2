; an element is found: at the end
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun k () Int)
(assert (= k (seq.indexof s (seq.unit 3) 0)))
(assert (= (seq.len s) 2))
(assert (= k 1))
(check-sat)
