; a function gives each set a number: the order of a union decides
(set-logic ALL)
(set-info :status unsat)
(declare-fun number ((Set Int)) Int)
(declare-fun a () (Set Int))
(declare-fun b () (Set Int))
(assert (set.member 5 a))
(assert (< (number (set.union a b)) (number (set.union b a))))
(check-sat)
