; corpus-smt/bv/extensions-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(assert (! (= ((_ zero_extend 2) x) ((_ sign_extend 2) x)) :interpolation-group g1))
(assert (! (bvuge x #b100) :interpolation-group g0))
(check-sat)
