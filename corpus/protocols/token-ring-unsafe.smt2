; four stations in a ring; the token is at one of them; whoever has it may send, then passes it on
; the third keeps a copy
; assert that at most one station has the token
(set-logic HORN)
(set-info :status unsat)
(declare-fun ring (Bool Bool Bool Bool) Bool)
(assert (ring true false false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (ring a b c d) a) (ring false true c d))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (ring a b c d) b) (ring a false true d))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (ring a b c d) c) (ring a b true true))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (ring a b c d) d) (ring true b c false))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (=> (and (ring a b c d) (or (and a b) (and a c) (and a d) (and b c) (and b d) (and c d))) false)))
(check-sat)
