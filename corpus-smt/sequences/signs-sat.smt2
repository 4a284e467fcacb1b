; all elements have a sign: two of them differ
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(assert (= (seq.len s) 2))
(assert (forall ((i Int)) (=> (and (<= 0 i) (< i 2)) (distinct (seq.nth s i) 0))))
(assert (< (seq.nth s 0) (seq.nth s 1)))
(check-sat)
