; corpus/many-predicates/digital-lock-safe, unrolled 1 steps
(set-logic ALL)
(set-info :status unsat)
(declare-fun open.n1 () Bool)
(declare-fun open.n1.0 () Int)
(declare-fun t.0. () Int)
(assert (! (=> open.n1 false) :interpolation-group g0))
(assert (! (and (and open.n1 (= open.n1.0 t.0.)) (< t.0. 2) (not false)) :interpolation-group g1))
(check-sat)
