; S -> a S b S | b S a S | empty
; assert that S has no word of length 5
(set-logic HORN)
(set-info :status sat)
(declare-fun s (Int Int) Bool)
(assert (s 0 0))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (s a b) (s c d)) (s (+ a c 1) (+ b d 1)))))
(assert (forall ((a Int) (b Int)) (=> (and (s a b) (= (+ a b) 5)) false)))
(check-sat)
