; corpus-smt/nia/div-by-variable-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (! (<= 1 y 4) :interpolation-group g1))
(assert (! (<= (- 9) x 9) :interpolation-group g1))
(assert (! (distinct x (+ (* y (div x y)) (mod x y))) :interpolation-group g0))
(check-sat)
