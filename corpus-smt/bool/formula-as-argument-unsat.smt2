; a function of a formula has two values at most, not three
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Bool) Int)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (distinct (f (< x y)) (f (= x y)) (f (> x y))))
(check-sat)
