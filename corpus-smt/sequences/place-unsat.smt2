; the element behind the end as a list: it has a length
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun i () Int)
(assert (>= i (seq.len s)))
(assert (= (seq.len (seq.at s i)) 1))
(check-sat)
