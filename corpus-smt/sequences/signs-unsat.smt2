; all elements are above zero: one of a part is not
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun k () Int)
(assert (forall ((i Int)) (=> (and (<= 0 i) (< i (seq.len s))) (> (seq.nth s i) 0))))
(assert (and (<= 0 k) (< k (seq.len s))))
(assert (= (seq.nth s k) 0))
(check-sat)
