; a list that is a part twice: its length is odd
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun p () (Seq Int))
(assert (= s (seq.++ p p)))
(assert (= (mod (seq.len s) 2) 1))
(check-sat)
