; two lamps that are off, as an array with Boolean elements
; any number of times: switch lamp x, if the other one is off
; assert that not both are on
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Lamp 0)) (((north) (south))))
(declare-fun lamps ((Array Lamp Bool)) Bool)
(assert (lamps ((as const (Array Lamp Bool)) false)))
(assert (forall ((a (Array Lamp Bool)) (x Lamp))
  (=> (and (lamps a) (not (select a (ite (= x north) south north))))
      (lamps (store a x (not (select a x)))))))
(assert (forall ((a (Array Lamp Bool))) (=> (and (lamps a) (select a north) (select a south)) false)))
(check-sat)
