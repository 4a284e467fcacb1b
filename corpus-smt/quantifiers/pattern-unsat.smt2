; f is at least its argument, by a pattern; f(f(3)) is 2
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (>= (f x) x) :pattern ((f x)))))
(assert (= (f (f 3)) 2))
(check-sat)
