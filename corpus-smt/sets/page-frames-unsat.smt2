; a page is loaded into at most two frames: a fourth one is needed
(set-logic ALL)
(set-info :status unsat)
(declare-fun loaded () (Set Int))
(declare-fun page () Int)
(assert (<= (set.card loaded) 2))
(assert (> (set.card (set.insert page loaded)) 3))
(check-sat)
