; a part is replaced: the list becomes shorter
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun p () (Seq Int))
(assert (= (seq.len s) 3))
(assert (= (seq.len (seq.replace s p (seq.unit 4))) 2))
(check-sat)
