; a number is reached from half of it, or from a third of it, begun with 1, up to 9
; assert that 9 is not reached
(set-logic HORN)
(set-info :status unsat)
(declare-fun reached (Int) Bool)
(assert (reached 1))
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (reached y) (= x (* 2 y)) (<= x 9))) (reached x))))
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (reached y) (= x (* 3 y)) (<= x 9))) (reached x))))
(assert (not (exists ((x Int)) (and (reached x) (= x 9)))))
(check-sat)
