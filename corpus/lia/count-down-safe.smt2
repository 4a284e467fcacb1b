; assume n >= 3
; x := n
; while x > 0:
;     x := x - 1
; assert x = 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 3) (loop n n))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (loop n x) (> x 0) (= y (- x 1))) (loop n y))))
(assert (forall ((n Int) (x Int)) (=> (and (loop n x) (<= x 0) (not (= x 0))) false)))
(check-sat)
