; corpus-smt/bv/sum-of-shifts-8-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 8))
(declare-fun y () (_ BitVec 8))
(assert (! (= (bvadd (bvshl x y) (bvshl #xff y)) #x01) :interpolation-group g1))
(assert (! (bvult #x00 y) :interpolation-group g0))
(check-sat)
