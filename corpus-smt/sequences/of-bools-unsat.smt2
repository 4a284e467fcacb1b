; flags in a row: the first is off
(set-logic ALL)
(set-info :status unsat)
(declare-fun f () (Seq Bool))
(assert (= (seq.len f) 2))
(assert (seq.prefixof (seq.unit true) f))
(assert (not (seq.nth f 0)))
(check-sat)
