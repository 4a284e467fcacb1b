; assert 2 * n != 7 for whole numbers n, with no program at all
(set-logic HORN)
(set-info :status sat)
(declare-fun unused (Int) Bool)
(assert (forall ((n Int)) (=> (= (* 2 n) 7) false)))
(check-sat)
