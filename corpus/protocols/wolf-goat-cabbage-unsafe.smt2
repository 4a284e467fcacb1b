; a farmer takes a wolf, a goat and a cabbage over a river, one at a time in a boat
; the wolf must not be alone with the goat, nor the goat with the cabbage
; assert that they never all come over; they do
(set-logic HORN)
(set-info :status unsat)
(declare-fun banks (Bool Bool Bool Bool) Bool)
; false is this bank, true the other; a state is reached only where nobody is eaten
(assert (banks false false false false))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool))
  (=> (and (banks f w g c) (not (= w g)) (not (= g c))) (banks (not f) w g c))))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool))
  (=> (and (banks f w g c) (= f w) (not (= g c))) (banks (not f) (not w) g c))))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool))
  (=> (and (banks f w g c) (= f g)) (banks (not f) w (not g) c))))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool))
  (=> (and (banks f w g c) (= f c) (not (= w g))) (banks (not f) w g (not c)))))
(assert (=> (banks true true true true) false))
(check-sat)
