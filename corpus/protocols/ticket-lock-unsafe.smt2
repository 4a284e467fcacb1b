; next, serving := 0, 0
; process i, again and again:
;     0: mine[i] := next; next := next + 0
;     1: wait until mine[i] = serving
;     2: critical section; serving := serving + 1
; assert that the two are never both at 2
(set-logic HORN)
(set-info :status unsat)
(declare-fun state (Int Int Int Int Int Int) Bool)
(assert (state 0 0 0 0 0 0))
(assert (forall ((q Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (state 0 q mine yours next serving) (state 1 q next yours (+ next 0) serving))))
(assert (forall ((q Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (and (state 1 q mine yours next serving) (= mine serving))
      (state 2 q mine yours next serving))))
(assert (forall ((q Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (state 2 q mine yours next serving) (state 0 q mine yours next (+ serving 1)))))
(assert (forall ((p Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (state p 0 mine yours next serving) (state p 1 mine next (+ next 1) serving))))
(assert (forall ((p Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (and (state p 1 mine yours next serving) (= yours serving))
      (state p 2 mine yours next serving))))
(assert (forall ((p Int) (mine Int) (yours Int) (next Int) (serving Int))
  (=> (state p 2 mine yours next serving) (state p 0 mine yours next (+ serving 1)))))
(assert (forall ((mine Int) (yours Int) (next Int) (serving Int))
  (=> (state 2 2 mine yours next serving) false)))
(check-sat)
