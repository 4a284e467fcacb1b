; corpus-smt/mixed/floor-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun n () Int)
(assert (! (= n (to_int x)) :interpolation-group g1))
(assert (! (not (< (- x 1.0) (to_real n))) :interpolation-group g0))
(assert (! (not (is_int x)) :interpolation-group g1))
(check-sat)
