; corpus-smt/bv/sum-wraps-2-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 2))
(declare-fun y () (_ BitVec 2))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 1 1) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 1 1) y) #b0) :interpolation-group g1))
(check-sat)
