; ite of conditions is a choice of two implications
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (distinct (ite p q r) (and (=> p q) (=> (not p) r))))
(check-sat)
