; corpus-smt/bv/sum-wraps-31-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 31))
(declare-fun y () (_ BitVec 31))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 30 30) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 30 30) y) #b0) :interpolation-group g1))
(check-sat)
