; a stack as a sequence: the rest is another stack
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(declare-fun x () Int)
(assert (= t (seq.++ (seq.unit x) s)))
(assert (distinct (seq.extract t 1 (seq.len s)) s))
(check-sat)
