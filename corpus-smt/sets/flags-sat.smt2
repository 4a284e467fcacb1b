; sets of truth values are compared by their elements: they differ in false
(set-logic ALL)
(set-info :status sat)
(declare-fun a () (Set Bool))
(declare-fun b () (Set Bool))
(assert (= (set.member true a) (set.member true b)))
(assert (distinct a b))
(check-sat)
