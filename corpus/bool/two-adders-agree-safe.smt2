; two bits added by a half adder with xor, and by one with or
; assert that they agree
(set-logic HORN)
(set-info :status sat)
(declare-fun first (Bool Bool Bool Bool) Bool)
(declare-fun second (Bool Bool Bool Bool) Bool)
(assert (forall ((a Bool) (b Bool) (s Bool) (c Bool))
  (=> (and (= s (xor a b)) (= c (and a b))) (first a b s c))))
(assert (forall ((a Bool) (b Bool) (t Bool) (d Bool))
  (=> (and (= d (and a b)) (= t (and (or a b) (not (and a b))))) (second a b t d))))
(assert (forall ((a Bool) (b Bool) (s Bool) (c Bool) (t Bool) (d Bool))
  (=> (and (first a b s c) (second a b t d) (or (distinct s t) (distinct c d))) false)))
(check-sat)
