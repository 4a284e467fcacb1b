; corpus-smt/bv/sum-wraps-63-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 63))
(declare-fun y () (_ BitVec 63))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 62 62) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 62 62) y) #b0) :interpolation-group g1))
(check-sat)
