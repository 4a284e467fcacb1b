; corpus-smt/mixed/is-int-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun n () Int)
(assert (! (is_int (/ (to_real n) 4.0)) :interpolation-group g1))
(assert (! (= (mod n 2) 1) :interpolation-group g0))
(check-sat)
