; corpus-smt/bv/own-negation-33-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 33))
(assert (! (= x (bvneg x)) :interpolation-group g1))
(assert (! (distinct x #b000000000000000000000000000000000) :interpolation-group g0))
(assert (! (distinct x #b100000000000000000000000000000000) :interpolation-group g1))
(check-sat)
