; the second place of a value: it is the last
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun k () Int)
(assert (= k (seq.indexof s (seq.unit 1) 0)))
(assert (= (seq.indexof s (seq.unit 1) (+ k 1)) 2))
(assert (= (seq.len s) 3))
(check-sat)
