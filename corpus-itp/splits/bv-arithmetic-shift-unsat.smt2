; corpus-smt/bv/arithmetic-shift-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 5))
(assert (! (bvslt x #b00000) :interpolation-group g1))
(assert (! (distinct x #b11111) :interpolation-group g0))
(assert (! (= #b11111 (bvashr x #b00000)) :interpolation-group g1))
(check-sat)
