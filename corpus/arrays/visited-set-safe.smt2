; the set of visited rooms as an array of Booleans, first only room 0
; whoever is in room r may go to r + 2, while r < 6
; assert that room 5 is never visited
(set-logic HORN)
(set-info :status sat)
(declare-fun at (Int (Array Int Bool)) Bool)
(assert (forall ((visited (Array Int Bool)))
  (=> (= visited (store ((as const (Array Int Bool)) false) 0 true)) (at 0 visited))))
(assert (forall ((r Int) (s Int) (visited (Array Int Bool)) (after (Array Int Bool)))
  (=> (and (at r visited) (< r 6) (= s (+ r 2)) (= after (store visited s true))) (at s after))))
(assert (forall ((r Int) (visited (Array Int Bool))) (=> (and (at r visited) (select visited 5)) false)))
(check-sat)
