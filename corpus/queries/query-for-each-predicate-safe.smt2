; ping and pong send a ball to and fro, it loses 1 of its force each time
; assert that the force at ping is at most 6, at pong at most 5
(set-logic HORN)
(set-info :status sat)
(declare-fun ping (Int) Bool)
(declare-fun pong (Int) Bool)
(assert (ping 6))
(assert (forall ((f Int)) (=> (and (ping f) (> f 0)) (pong (- f 1)))))
(assert (forall ((f Int)) (=> (and (pong f) (> f 0)) (ping (- f 1)))))
(assert (forall ((f Int)) (=> (and (ping f) (> f 6)) false)))
(assert (forall ((f Int)) (=> (and (pong f) (> f 5)) false)))
(check-sat)
