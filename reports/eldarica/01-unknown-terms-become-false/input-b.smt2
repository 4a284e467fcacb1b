(set-logic HORN)
(assert (forall ((x Int)) (=> (= 0.0 (to_real x)) false)))
(check-sat)
