; corpus-smt/uf/of-reals-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Real) Real)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (! (= y (/ x 2.0)) :interpolation-group g1))
(assert (! (distinct (f (+ y y)) (f x)) :interpolation-group g0))
(check-sat)
