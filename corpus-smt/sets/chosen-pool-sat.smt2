; a worker takes a job of one of two pools: it is not urgent
(set-logic ALL)
(set-info :status sat)
(declare-fun urgent () (Set Int))
(declare-fun usual () (Set Int))
(declare-fun job () Int)
(assert (set.member job (ite (set.is_empty urgent) usual urgent)))
(assert (not (set.member job urgent)))
(check-sat)
