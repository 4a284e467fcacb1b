; the second place of a value: it is the first
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun k () Int)
(assert (= k (seq.indexof s (seq.unit 1) 0)))
(assert (>= k 0))
(assert (= k (seq.indexof s (seq.unit 1) (+ k 1))))
(check-sat)
