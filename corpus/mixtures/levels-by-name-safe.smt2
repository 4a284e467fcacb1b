; real levels, named by integers, all 0
; repeat any number of times: level[n] := x for some n and some x of 0 to 1.0
; assert level[0] <= 1
(set-logic HORN)
(set-info :status sat)
(declare-fun levels ((Array Int Real)) Bool)
(assert (levels ((as const (Array Int Real)) 0.0)))
(assert (forall ((a (Array Int Real)) (n Int) (x Real))
  (=> (and (levels a) (<= 0.0 x) (<= x 1.0)) (levels (store a n x)))))
(assert (forall ((a (Array Int Real))) (=> (and (levels a) (> (select a 0) 1.0)) false)))
(check-sat)
