; caches that are invalid, shared or modified; only the numbers of each are kept
;     read miss:   an invalid cache becomes shared, every modified one becomes shared
;     write:       one cache becomes modified, all others become invalid
; assert that with a modified cache there is no other one modified and none shared
(set-logic HORN)
(set-info :status sat)
(declare-fun caches (Int Int Int) Bool)
(assert (forall ((invalid Int)) (=> (>= invalid 1) (caches invalid 0 0))))
(assert (forall ((invalid Int) (shared Int) (modified Int))
  (=> (and (caches invalid shared modified) (> invalid 0))
      (caches (- invalid 1) (+ shared modified 1) 0))))
(assert (forall ((invalid Int) (shared Int) (modified Int))
  (=> (and (caches invalid shared modified) (> invalid 0))
      (caches (+ invalid shared modified (- 1)) 0 1))))
(assert (forall ((invalid Int) (shared Int) (modified Int))
  (=> (and (caches invalid shared modified) (> shared 0))
      (caches (+ invalid shared modified (- 1)) 0 1))))
(assert (forall ((invalid Int) (shared Int) (modified Int))
  (=> (and (caches invalid shared modified) (or (> modified 1) (and (= modified 1) (> shared 0))))
      false)))
(check-sat)
