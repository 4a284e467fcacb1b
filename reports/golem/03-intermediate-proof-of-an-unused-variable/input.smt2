(set-logic HORN)
(assert (forall ((x Bool) (y Bool) (z Bool)) (=> (and x y) false)))
(check-sat)
