; a part of two begins and ends a list of three: it has two values
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun p () (Seq Int))
(assert (and (seq.prefixof p s) (seq.suffixof p s)))
(assert (and (= (seq.len s) 3) (= (seq.len p) 2)))
(assert (distinct (seq.nth p 0) (seq.nth p 1)))
(check-sat)
