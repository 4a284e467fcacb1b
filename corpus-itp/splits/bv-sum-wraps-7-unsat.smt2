; corpus-smt/bv/sum-wraps-7-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 7))
(declare-fun y () (_ BitVec 7))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 6 6) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 6 6) y) #b0) :interpolation-group g1))
(check-sat)
