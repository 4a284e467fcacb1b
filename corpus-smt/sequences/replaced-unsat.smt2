; one element is replaced by two: the old one is still there
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= t (seq.replace s (seq.unit 2) (seq.++ (seq.unit 3) (seq.unit 4)))))
(assert (seq.contains t (seq.unit 2)))
(check-sat)
