; three philosophers, three forks; each takes one of its forks, then the other, eats, lays both back
; all begin on their left
; assert that they never all hold one fork and wait for the other
(set-logic HORN)
(set-info :status unsat)
(declare-fun table (Int Int Int) Bool)
; 0 thinks, 1 holds the first fork, 2 holds both; fork 0 is between c and a, 1 between a and b
(assert (table 0 0 0))
; a takes fork 0, then fork 1
(assert (forall ((b Int) (c Int)) (=> (and (table 0 b c) (not (= c 2))) (table 1 b c))))
(assert (forall ((b Int) (c Int)) (=> (and (table 1 b c) (= b 0)) (table 2 b c))))
(assert (forall ((b Int) (c Int)) (=> (table 2 b c) (table 0 b c))))
; b takes fork 1, then fork 2
(assert (forall ((a Int) (c Int)) (=> (and (table a 0 c) (not (= a 2))) (table a 1 c))))
(assert (forall ((a Int) (c Int)) (=> (and (table a 1 c) (= c 0)) (table a 2 c))))
(assert (forall ((a Int) (c Int)) (=> (table a 2 c) (table a 0 c))))
; c
(assert (forall ((a Int) (b Int)) (=> (and (table a b 0) (not (= b 2))) (table a b 1))))
(assert (forall ((a Int) (b Int)) (=> (and (table a b 1) (= a 0)) (table a b 2))))
(assert (forall ((a Int) (b Int)) (=> (table a b 2) (table a b 0))))
(assert (=> (table 1 1 1) false))
(check-sat)
