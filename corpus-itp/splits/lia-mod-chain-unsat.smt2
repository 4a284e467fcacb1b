; corpus-smt/lia/mod-chain-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () Int)
(assert (! (= (mod x 4) 2) :interpolation-group g1))
(assert (! (= (mod x 6) 3) :interpolation-group g0))
(assert (! (> x 100) :interpolation-group g1))
(check-sat)
