; a page is loaded into at most two frames: the page is in one of two
(set-logic ALL)
(set-info :status sat)
(declare-fun loaded () (Set Int))
(declare-fun page () Int)
(assert (<= (set.card loaded) 2))
(assert (= (set.card (set.insert page loaded)) 2))
(assert (set.member page loaded))
(check-sat)
