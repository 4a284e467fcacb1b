; g(x, y) = y + 1                       if x <= 0
;         = g(x - 1, g(x - 1, y))       otherwise
; assert g(x, y) <= y
(set-logic HORN)
(set-info :status unsat)
(declare-fun g (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (<= x 0) (= r (+ y 1))) (g x y r))))
(assert (forall ((x Int) (y Int) (r Int) (s Int))
  (=> (and (> x 0) (g (- x 1) y s) (g (- x 1) s r)) (g x y r))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (g x y r) (not (<= r y))) false)))
(check-sat)
