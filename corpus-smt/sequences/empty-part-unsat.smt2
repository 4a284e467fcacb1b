; the empty sequence is everywhere: nowhere
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun e () (Seq Int))
(assert (= (seq.len e) 0))
(assert (not (seq.contains s e)))
(check-sat)
