; two walkers start at 0; at one place, the first one moves by 2, otherwise the second one by 1
; assert that their distance is at most 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun walkers (Int Int) Bool)
(assert (walkers 0 0))
(assert (forall ((a Int) (b Int)) (=> (and (walkers a b) (= a b)) (walkers (+ a 2) b))))
(assert (forall ((a Int) (b Int)) (=> (and (walkers a b) (distinct a b)) (walkers a (+ b 1)))))
(assert (forall ((a Int) (b Int)) (=> (and (walkers a b) (> (abs (- a b)) 1)) false)))
(check-sat)
