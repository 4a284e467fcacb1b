; corpus-smt/quantifiers/booleans-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun q () Bool)
(assert (! (forall ((x Bool))
    (exists ((y Bool)) (= (xor x y) q))) :interpolation-group g1))
(assert (! (= q (forall ((x Bool)) (or x (and x q)))) :interpolation-group g0))
(assert (! q :interpolation-group g1))
(check-sat)
