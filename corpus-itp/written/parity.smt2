; a number is even on one side and odd on the other: the interpolant needs mod or a quantifier
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (! (= x (* 2 y)) :interpolation-group g0))
(assert (! (= x (+ (* 2 z) 1)) :interpolation-group g1))
(check-sat)
