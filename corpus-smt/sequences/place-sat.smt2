; the element at a place as a list: it is the whole list
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun i () Int)
(assert (= (seq.at s i) s))
(assert (= (seq.len s) 1))
(check-sat)
