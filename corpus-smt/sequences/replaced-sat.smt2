; one element is replaced by two: the last is four
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= t (seq.replace s (seq.unit 2) (seq.++ (seq.unit 3) (seq.unit 4)))))
(assert (= (seq.nth t 2) 4))
(check-sat)
