; a part from a place before the beginning: it begins the list
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun i () Int)
(assert (< i 0))
(assert (= (seq.extract s i 2) (seq.unit (seq.nth s 0))))
(check-sat)
