; four lights in a row; a button switches its light and the neighbours of it
; all are off, the first button is broken
; assert that it never happens that only the second is on
(set-logic HORN)
(set-info :status unsat)
(declare-fun lights (Bool Bool Bool Bool) Bool)
(assert (lights false false false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (=> (lights a b c d) (lights a (not b) (not c) (not d)))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (=> (lights a b c d) (lights (not a) (not b) (not c) d))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (lights a b c d) (lights a b (not c) (not d)))))
(assert (=> (lights false true false false) false))
(check-sat)
