; the ends of a list of four are swapped: the first was five
(set-logic ALL)
(set-info :status sat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(assert (= (seq.len s) 4))
(assert (= t (seq.++ (seq.at s 3) (seq.extract s 1 2) (seq.at s 0))))
(assert (= (seq.nth t 3) 5))
(check-sat)
