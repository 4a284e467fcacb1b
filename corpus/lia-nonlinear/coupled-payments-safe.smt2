; two people can pay the sums x and y; together they can pay x + y
; alice has notes of 4 and 6, bob has notes of 10
; assert that together they cannot pay 9
(set-logic HORN)
(set-info :status sat)
(declare-fun alice (Int) Bool)
(declare-fun bob (Int) Bool)
(declare-fun both (Int) Bool)
(assert (alice 0))
(assert (forall ((x Int)) (=> (and (alice x) (<= x 8)) (alice (+ x 4)))))
(assert (forall ((x Int)) (=> (and (alice x) (<= x 8)) (alice (+ x 6)))))
(assert (bob 0))
(assert (forall ((x Int)) (=> (and (bob x) (<= x 8)) (bob (+ x 10)))))
(assert (forall ((x Int) (y Int)) (=> (and (alice x) (bob y)) (both (+ x y)))))
(assert (=> (both 9) false))
(check-sat)
