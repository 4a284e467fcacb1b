; a formula with a name and a wrong step
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-fun x () Int)
(assert (! (forall ((y Int)) (= (f y) (+ y 2))) :named grows))
(assert (! (= (f (f x)) (+ x 2)) :named twice))
(check-sat)
