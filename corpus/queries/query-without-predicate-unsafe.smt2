; assert 2 * n != 8 for whole numbers n, with no program at all
(set-logic HORN)
(set-info :status unsat)
(declare-fun unused (Int) Bool)
(assert (forall ((n Int)) (=> (= (* 2 n) 8) false)))
(check-sat)
