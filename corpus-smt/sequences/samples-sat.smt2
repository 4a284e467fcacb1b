; samples as floats: the first is not a number, and equals itself as an element
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Float32))
(declare-fun t () (Seq Float32))
(assert (= (seq.len s) 1))
(assert (= s t))
(assert (not (fp.eq (seq.nth s 0) (seq.nth t 0))))
(check-sat)
