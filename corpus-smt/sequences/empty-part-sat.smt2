; the empty sequence is everywhere: at the end
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun e () (Seq Int))
(assert (= (seq.len e) 0))
(assert (= (seq.indexof s e 2) 2))
(assert (= (seq.len s) 2))
(check-sat)
