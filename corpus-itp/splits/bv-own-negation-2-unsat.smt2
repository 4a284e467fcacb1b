; corpus-smt/bv/own-negation-2-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 2))
(assert (! (= x (bvneg x)) :interpolation-group g1))
(assert (! (distinct x #b00) :interpolation-group g0))
(assert (! (distinct x #b10) :interpolation-group g1))
(check-sat)
