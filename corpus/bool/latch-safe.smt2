; a set-reset latch of two nor gates, not set and reset at once
; assert that q and its inverse differ once it has been set or reset
(set-logic HORN)
(set-info :status sat)
(declare-fun latch (Bool Bool Bool) Bool)
(assert (forall ((q Bool) (n Bool)) (latch q n false)))
(assert (forall ((q Bool) (n Bool) (s Bool) (r Bool) (ready Bool))
  (=> (and (latch q n ready) s (not r)) (latch true false true))))
(assert (forall ((q Bool) (n Bool) (s Bool) (r Bool) (ready Bool))
  (=> (and (latch q n ready) (not s) r) (latch false true true))))
(assert (forall ((q Bool) (n Bool) (s Bool) (r Bool) (ready Bool))
  (=> (and (latch q n ready) (not s) (not r) (= q (not n))) (latch q n ready))))
(assert (forall ((q Bool) (n Bool) (ready Bool)) (=> (and (latch q n ready) ready (= q n)) false)))
(check-sat)
