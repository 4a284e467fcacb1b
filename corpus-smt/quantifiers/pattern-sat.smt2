; f is at least its argument, by a pattern; f(f(3)) is 3
(set-logic ALL)
(set-info :status sat)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (>= (f x) x) :pattern ((f x)))))
(assert (= (f (f 3)) 3))
(check-sat)
