; corpus-smt/mixtures/number-to-word-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun n () Int)
(assert (! (= ((_ int2bv 3) n) #b110) :interpolation-group g1))
(assert (! (= (mod n 8) 5) :interpolation-group g0))
(assert (! (< n 0) :interpolation-group g1))
(check-sat)
