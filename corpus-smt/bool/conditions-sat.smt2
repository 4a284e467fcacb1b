; ite of conditions is a choice of two implications, of the wrong one
(set-logic ALL)
(set-info :status sat)
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (distinct (ite p q r) (and (=> p q) (=> (not q) r))))
(check-sat)
