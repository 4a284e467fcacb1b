; process i, again and again:
;     0: wait until not locked
;     1: locked := true      (in the safe version 0 and 1 are one step)
;     2: critical section; locked := false
; assert that the two are never both at 2
(set-logic HORN)
(set-info :status unsat)
(declare-fun state (Int Int Bool) Bool)
(assert (state 0 0 false))
(assert (forall ((q Int) (locked Bool)) (=> (and (state 0 q locked) (not locked)) (state 1 q false))))
(assert (forall ((q Int) (locked Bool)) (=> (state 1 q locked) (state 2 q true))))
(assert (forall ((q Int) (locked Bool)) (=> (state 2 q locked) (state 0 q false))))
(assert (forall ((p Int) (locked Bool)) (=> (and (state p 0 locked) (not locked)) (state p 1 false))))
(assert (forall ((p Int) (locked Bool)) (=> (state p 1 locked) (state p 2 true))))
(assert (forall ((p Int) (locked Bool)) (=> (state p 2 locked) (state p 0 false))))
(assert (forall ((locked Bool)) (=> (state 2 2 locked) false)))
(check-sat)
