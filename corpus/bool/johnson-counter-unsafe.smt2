; a ring of three flip-flops; the last goes back to the first, inverted only while a is false
; assert not (a and not b and c)
(set-logic HORN)
(set-info :status unsat)
(declare-fun ring (Bool Bool Bool) Bool)
(assert (ring false false false))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (ring a b c) (ring (xor c (not a)) a b))))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (and (ring a b c) (and a (not b) c)) false)))
(check-sat)
