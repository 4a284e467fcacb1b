; the ball falls with velocity v, bounces at height 0 with v := -v / 2, in ticks of 1
; assert height >= 0; it bounces one tick late
(set-logic HORN)
(set-info :status unsat)
(declare-fun ball (Real Real) Bool)
(assert (ball 8.0 0.0))
(assert (forall ((h Real) (v Real) (h1 Real) (v1 Real))
  (=> (and (ball h v) (= h1 (+ h v)) (= v1 (- v 1.0)) (> h 0.0)) (ball h1 v1))))
(assert (forall ((h Real) (v Real) (v1 Real))
  (=> (and (ball h v) (<= (+ h v) 0.0) (= v1 (/ (- v) 2.0))) (ball 0.0 v1))))
(assert (forall ((h Real) (v Real)) (=> (and (ball h v) (< h 0.0)) false)))
(check-sat)
