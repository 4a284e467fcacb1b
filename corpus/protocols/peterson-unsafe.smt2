; process i, again and again:
;     0: flag[i] := true; turn := the other (but process 0 takes the turn itself)
;     1: wait until not flag[other] or turn = i
;     2: critical section; flag[i] := false
; assert that the two are never both at 2
(set-logic HORN)
(set-info :status unsat)
(declare-fun state (Int Int Bool Bool Int) Bool)
(assert (forall ((turn Int)) (=> (or (= turn 0) (= turn 1)) (state 0 0 false false turn))))
; process 0
(assert (forall ((q Int) (turn Int) (f Bool) (g Bool)) (=> (state 0 q f g turn) (state 1 q true g 0))))
(assert (forall ((q Int) (turn Int) (f Bool) (g Bool))
  (=> (and (state 1 q f g turn) (or (not g) (= turn 0))) (state 2 q f g turn))))
(assert (forall ((q Int) (turn Int) (f Bool) (g Bool)) (=> (state 2 q f g turn) (state 0 q false g turn))))
; process 1
(assert (forall ((p Int) (turn Int) (f Bool) (g Bool)) (=> (state p 0 f g turn) (state p 1 f true 0))))
(assert (forall ((p Int) (turn Int) (f Bool) (g Bool))
  (=> (and (state p 1 f g turn) (or (not f) (= turn 1))) (state p 2 f g turn))))
(assert (forall ((p Int) (turn Int) (f Bool) (g Bool)) (=> (state p 2 f g turn) (state p 0 f false turn))))
(assert (forall ((turn Int) (f Bool) (g Bool)) (=> (state 2 2 f g turn) false)))
(check-sat)
