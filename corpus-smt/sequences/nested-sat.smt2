; rows of a table: the second row has two
(set-logic ALL)
(set-info :status sat)
(declare-fun t () (Seq (Seq Int)))
(declare-fun r () (Seq Int))
(assert (= t (seq.++ (seq.unit r) (seq.unit (seq.++ r r)))))
(assert (= (seq.len r) 1))
(assert (= (seq.nth (seq.nth t 1) 1) 4))
(check-sat)
