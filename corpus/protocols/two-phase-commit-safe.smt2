; two participants vote (1 yes, 2 no); the coordinator commits (1) if both voted yes, else aborts (2)
; the participants do as the coordinator says
; assert that no participant that voted no ends in a commit
(set-logic HORN)
(set-info :status sat)
(declare-fun votes (Int Int) Bool)
(declare-fun decided (Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (or (= a 1) (= a 2)) (or (= b 1) (= b 2))) (votes a b))))
(assert (forall ((a Int) (b Int)) (=> (and (votes a b) (and (= a 1) (= b 1))) (decided a b 1))))
(assert (forall ((a Int) (b Int)) (=> (and (votes a b) (not (and (= a 1) (= b 1)))) (decided a b 2))))
(assert (forall ((a Int) (b Int) (d Int)) (=> (and (decided a b d) (= d 1) (or (= a 2) (= b 2))) false)))
(check-sat)
