; flags in a row: the second is off
(set-logic ALL)
(set-info :status sat)
(declare-fun f () (Seq Bool))
(assert (= (seq.len f) 2))
(assert (seq.prefixof (seq.unit true) f))
(assert (not (seq.nth f 1)))
(check-sat)
