; sets of truth values are compared by their elements: they differ, although not in false
(set-logic ALL)
(set-info :status unsat)
(declare-fun a () (Set Bool))
(declare-fun b () (Set Bool))
(assert (= (set.member true a) (set.member true b)))
(assert (= (set.member false a) (set.member false b)))
(assert (distinct a b))
(check-sat)
