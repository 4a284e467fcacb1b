; a formula with a name
(set-logic ALL)
(set-info :status sat)
(declare-fun f (Int) Int)
(declare-fun x () Int)
(assert (! (forall ((y Int)) (= (f y) (+ y 1))) :named grows))
(assert (! (= (f (f x)) (+ x 2)) :named twice))
(check-sat)
