; one element at both ends: the ends differ
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun x () Int)
(declare-fun b () (Seq Int))
(assert (= s (seq.++ (seq.unit x) b (seq.unit x))))
(assert (distinct (seq.at s 0) (seq.at s (- (seq.len s) 1))))
(check-sat)
