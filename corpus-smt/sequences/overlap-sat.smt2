; a part begins and ends a list: the two places overlap
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun p () (Seq Int))
(assert (and (seq.prefixof p s) (seq.suffixof p s)))
(assert (and (= (seq.len s) 3) (= (seq.len p) 2)))
(check-sat)
