; x := 0
; while not (not (x < 5)): x := x + 1
; assert not (x > 5 or x < 0)
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (not (or (not (loop x)) (not (< x 5)))) (loop (+ x 1)))))
(assert (forall ((x Int)) (=> (and (not (not (loop x))) (not (and (not (> x 5)) (not (< x 0))))) false)))
(check-sat)
