; corpus/many-predicates/call-graph-safe, unrolled 1 steps
(set-logic ALL)
(set-info :status unsat)
(declare-fun deep.n1 () Bool)
(declare-fun deep.n1.0 () Int)
(declare-fun d.0. () Int)
(assert (! (=> deep.n1 false) :interpolation-group g0))
(assert (! (and (and deep.n1 (= deep.n1.0 d.0.)) (> d.0. 4) (not false)) :interpolation-group g1))
(check-sat)
