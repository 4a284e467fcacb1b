; a function of a formula has two values at most, two of two
(set-logic ALL)
(set-info :status sat)
(declare-fun f (Bool) Int)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (distinct (f (< x y)) (f (= x y))))
(check-sat)
