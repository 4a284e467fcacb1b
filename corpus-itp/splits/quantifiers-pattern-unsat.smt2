; corpus-smt/quantifiers/pattern-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun f (Int) Int)
(assert (! (forall ((x Int))
    (! (>= (f x) x) :pattern ((f x)))) :interpolation-group g1))
(assert (! (= (f (f 3)) 2) :interpolation-group g0))
(check-sat)
