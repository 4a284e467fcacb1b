; corpus-smt/quantifiers/alternation-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun p () Bool)
(assert (! (= p (forall ((x Int)) (exists ((y Int)) (and (< y x) (> y 0))))) :interpolation-group g1))
(assert (! (= p true) :interpolation-group g0))
(check-sat)
