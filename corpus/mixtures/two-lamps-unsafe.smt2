; two lamps that are off, as an array with Boolean elements
; any number of times: switch lamp x, if it is off
; assert that not both are on
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Lamp 0)) (((north) (south))))
(declare-fun lamps ((Array Lamp Bool)) Bool)
(assert (lamps ((as const (Array Lamp Bool)) false)))
(assert (forall ((a (Array Lamp Bool)) (x Lamp))
  (=> (and (lamps a) (not (select a x))) (lamps (store a x (not (select a x)))))))
(assert (forall ((a (Array Lamp Bool))) (=> (and (lamps a) (select a north) (select a south)) false)))
(check-sat)
