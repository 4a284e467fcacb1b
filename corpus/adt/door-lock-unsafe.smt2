; a door is open, closed or locked with a code; it opens when it is closed, and unlocks with its code
; assert that an open door was open
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Door 0)) (((open) (closed) (locked (code Int)))))
(declare-fun door (Door Door) Bool)
(assert (door closed closed))
(assert (forall ((before Door)) (=> (door before open) (door open closed))))
(assert (forall ((before Door)) (=> (door before closed) (door closed open))))
(assert (forall ((before Door) (c Int)) (=> (and (door before closed) (> c 0)) (door closed (locked c)))))
(assert (forall ((before Door) (now Door) (c Int))
  (=> (and (door before now) ((_ is locked) now) (= c (code now)) (> c 0)) (door now closed))))
(assert (forall ((before Door)) (=> (and (door before open) (distinct before open)) false)))
(check-sat)
