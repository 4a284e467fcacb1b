; all elements of a set are above zero: one is the negation of another
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Set Int))
(declare-fun x () Int)
(assert (forall ((e Int)) (=> (set.member e s) (> e 0))))
(assert (= s (set.insert x (set.singleton 3))))
(assert (set.member (- x) s))
(check-sat)
