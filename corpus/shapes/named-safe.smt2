; x := 10; while x > 0: x := x - 2; assert x >= 0; each clause has a name
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (! (loop 10) :named start))
(assert (! (forall ((x Int)) (=> (and (loop x) (> x 0)) (loop (- x 2)))) :named step))
(assert (! (forall ((x Int)) (=> (loop x) (>= x 0))) :named never-negative))
(check-sat)
