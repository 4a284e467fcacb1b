; corpus-smt/bv/sum-wraps-13-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 13))
(declare-fun y () (_ BitVec 13))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 12 12) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 12 12) y) #b0) :interpolation-group g1))
(check-sat)
