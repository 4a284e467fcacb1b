; a log of events: the same event opens and closes
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Event 0)) (((opened (handle Int)) (closed))))
(declare-fun log () (Seq Event))
(declare-fun h () Int)
(assert (= log (seq.++ (seq.unit (opened h)) (seq.unit closed))))
(assert (= (seq.at log 0) (seq.at log 1)))
(check-sat)
