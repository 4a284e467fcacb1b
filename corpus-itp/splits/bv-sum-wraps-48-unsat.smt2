; corpus-smt/bv/sum-wraps-48-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 48))
(declare-fun y () (_ BitVec 48))
(assert (! (bvult (bvadd x y) x) :interpolation-group g1))
(assert (! (= ((_ extract 47 47) x) #b0) :interpolation-group g0))
(assert (! (= ((_ extract 47 47) y) #b0) :interpolation-group g1))
(check-sat)
