; process i, again and again:
;     0: ticket[i] := ticket[other] + 1
;     1: wait until ticket[other] = 0 or ticket[i] < ticket[other] (process 0: <=)
;     2: critical section; ticket[i] := 0
; assert that the two are never both at 2
(set-logic HORN)
(set-info :status sat)
(declare-fun state (Int Int Int Int) Bool)
(assert (state 0 0 0 0))
(assert (forall ((p Int) (q Int) (s Int) (t Int)) (=> (and (state p q s t) (= p 0)) (state 1 q (+ t 1) t))))
(assert (forall ((p Int) (q Int) (s Int) (t Int))
  (=> (and (state p q s t) (= p 1) (or (= t 0) (<= s t))) (state 2 q s t))))
(assert (forall ((p Int) (q Int) (s Int) (t Int)) (=> (and (state p q s t) (= p 2)) (state 0 q 0 t))))
(assert (forall ((p Int) (q Int) (s Int) (t Int)) (=> (and (state p q s t) (= q 0)) (state p 1 s (+ s 1)))))
(assert (forall ((p Int) (q Int) (s Int) (t Int))
  (=> (and (state p q s t) (= q 1) (or (= s 0) (< t s))) (state p 2 s t))))
(assert (forall ((p Int) (q Int) (s Int) (t Int)) (=> (and (state p q s t) (= q 2)) (state p 0 s 0))))
(assert (forall ((p Int) (q Int) (s Int) (t Int)) (=> (and (state p q s t) (= p 2) (= q 2)) false)))
(check-sat)
