; a part from a place before the beginning: it equals a part of length zero
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun i () Int)
(assert (= (seq.len s) 2))
(assert (< i 0))
(assert (= (seq.extract s i 1) (seq.extract s 1 0)))
(check-sat)
