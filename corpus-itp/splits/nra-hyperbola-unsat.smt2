; corpus-smt/nra/hyperbola-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (! (>= (* x y) 1.0) :interpolation-group g1))
(assert (! (< 0.0 x (/ 3.0 4.0)) :interpolation-group g0))
(assert (! (< 0.0 y (/ 3.0 4.0)) :interpolation-group g1))
(check-sat)
