; height := 10
; repeat for ever: the ball falls and bounces to 0.8 of its height, or less
; assert 0 <= height <= 10
(set-logic HORN)
(set-info :status sat)
(declare-fun ball (Real) Bool)
(assert (ball 10.0))
(assert (forall ((h Real) (h1 Real)) (=> (and (ball h) (<= 0.0 h1) (<= h1 (* 0.8 h))) (ball h1))))
(assert (forall ((h Real)) (=> (and (ball h) (not (and (<= 0.0 h) (<= h 10.0)))) false)))
(check-sat)
