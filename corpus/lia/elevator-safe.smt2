; floor, target := 0, 0                   # floors 0 to 6
; repeat for ever, one of:
;     when floor = target: target := any floor from 0 to 6
;     when floor < target: floor := floor + 1
;     when floor > target: floor := floor - 1
; assert floor <= 6
(set-logic HORN)
(set-info :status sat)
(declare-fun elevator (Int Int) Bool)
(assert (elevator 0 0))
(assert (forall ((floor Int) (target Int) (new Int))
  (=> (and (elevator floor target) (= floor target) (<= 0 new) (<= new 6)) (elevator floor new))))
(assert (forall ((floor Int) (target Int))
  (=> (and (elevator floor target) (< floor target)) (elevator (+ floor 1) target))))
(assert (forall ((floor Int) (target Int))
  (=> (and (elevator floor target) (> floor target)) (elevator (- floor 1) target))))
(assert (forall ((floor Int) (target Int)) (=> (and (elevator floor target) (> floor 6)) false)))
(check-sat)
