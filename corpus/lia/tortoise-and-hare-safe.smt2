; tortoise, hare := 0, 0
; repeat any number of times:
;     tortoise := tortoise + 1
;     if hare < 5: hare := hare + 2 else the hare slows down to 1
; assert tortoise <= hare
(set-logic HORN)
(set-info :status sat)
(declare-fun race (Int Int) Bool)
(assert (race 0 0))
(assert (forall ((tortoise Int) (hare Int) (next Int))
  (=> (and (race tortoise hare) (= next (ite (< hare 5) (+ hare 2) (+ hare 1))))
      (race (+ tortoise 1) next))))
(assert (forall ((tortoise Int) (hare Int)) (=> (and (race tortoise hare) (> tortoise hare)) false)))
(check-sat)
