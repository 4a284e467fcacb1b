; a semaphore with 1 permit(s); three processes enter when they get one, and give it back
; assert that at most 1 process is inside
(set-logic HORN)
(set-info :status sat)
(declare-fun state (Int Int) Bool)
(assert (state 1 0))
(assert (forall ((free Int) (inside Int))
  (=> (and (state free inside) (> free 0) (< inside 3)) (state (- free 1) (+ inside 1)))))
(assert (forall ((free Int) (inside Int))
  (=> (and (state free inside) (> inside 0)) (state (+ free 1) (- inside 1)))))
(assert (forall ((free Int) (inside Int)) (=> (and (state free inside) (> inside 1)) false)))
(check-sat)
