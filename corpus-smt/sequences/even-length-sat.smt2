; a list that is a part twice: its length is six
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun p () (Seq Int))
(assert (= s (seq.++ p p)))
(assert (= (* 3 (seq.len p)) (+ (seq.len s) 3)))
(check-sat)
