; two lamps are switched together, or both are lit, but the second may fail
; assert that they are never unlike
(set-logic HORN)
(set-info :status unsat)
(declare-fun lamps (Bool Bool) Bool)
(assert (forall ((a Bool) (b Bool)) (=> (= a b) (lamps a b))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (=> (and (lamps a b) (= (not a) c) (= (not b) d)) (lamps c d))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (=> (and (lamps a b) (=> a c) (=> b d) (= c (or d (not b)))) (lamps c d))))
(assert (forall ((a Bool) (b Bool)) (=> (and (lamps a b) (xor a b)) false)))
(check-sat)
