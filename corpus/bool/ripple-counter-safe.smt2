; three flip-flops a, b, c count up from 0 and go back to 0 after 5
; assert that they are never all set
(set-logic HORN)
(set-info :status sat)
(declare-fun counter (Bool Bool Bool) Bool)
(assert (counter false false false))
(assert (forall ((a Bool) (b Bool) (c Bool))
  (=> (and (counter a b c) (and a (not b) c)) (counter false false false))))
(assert (forall ((a Bool) (b Bool) (c Bool))
  (=> (and (counter a b c) (not (and a (not b) c))) (counter (not a) (xor b a) (xor c (and a b))))))
(assert (=> (counter true true true) false))
(check-sat)
