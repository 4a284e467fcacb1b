; tortoise, hare := 0, 0
; repeat any number of times:
;     tortoise, hare := tortoise + 1, hare + 2
;     if hare > 20: hare := 0
; assert tortoise <= hare
(set-logic HORN)
(set-info :status sat)
(declare-fun race (Int Int Bool) Bool)
(assert (race 0 0 false))
(assert (forall ((tortoise Int) (hare Int) (next Int) (over Bool))
  (=> (and (race tortoise hare over) (not over) (= next (+ hare 2)) (<= next 20))
      (race (+ tortoise 1) next over))))
(assert (forall ((tortoise Int) (hare Int) (over Bool))
  (=> (and (race tortoise hare over) (not over) (> (+ hare 2) 20)) (race tortoise hare true))))
(assert (forall ((tortoise Int) (hare Int) (over Bool))
  (=> (and (race tortoise hare over) (> tortoise hare)) false)))
(check-sat)
