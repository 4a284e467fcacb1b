; corpus/lia-nonlinear/same-generation-safe, unrolled 1 steps
(set-logic ALL)
(set-info :status unsat)
(declare-fun generation.n1 () Bool)
(declare-fun generation.n1.0 () Int)
(declare-fun generation.n1.1 () Int)
(assert (! (=> generation.n1 (and (= generation.n1.0 1) (= generation.n1.1 1))) :interpolation-group g0))
(assert (! (and (and generation.n1 (= generation.n1.0 2) (= generation.n1.1 4)) (not false)) :interpolation-group g1))
(check-sat)
