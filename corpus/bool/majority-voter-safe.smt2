; three copies of one bit, at most one of them wrong; the voter takes the majority
; assert that the vote is the bit
(set-logic HORN)
(set-info :status sat)
(declare-fun copies (Bool Bool Bool Bool) Bool)
(declare-fun vote (Bool Bool) Bool)
(assert (forall ((x Bool) (a Bool) (b Bool) (c Bool))
  (=> (or (and (= a x) (= b x)) (and (= b x) (= c x)) (and (= a x) (= c x)) false) (copies x a b c))))
(assert (forall ((x Bool) (a Bool) (b Bool) (c Bool) (v Bool))
  (=> (and (copies x a b c) (= v (or (and a b) (and b c) (and a c)))) (vote x v))))
(assert (forall ((x Bool) (v Bool)) (=> (and (vote x v) (xor x v)) false)))
(check-sat)
