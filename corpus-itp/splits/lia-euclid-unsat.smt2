; corpus-smt/lia/euclid-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (! (< x 0) :interpolation-group g1))
(assert (! (= (div x (- 3)) (- 4)) :interpolation-group g0))
(assert (! (= (mod x (- 3)) 2) :interpolation-group g1))
(check-sat)
