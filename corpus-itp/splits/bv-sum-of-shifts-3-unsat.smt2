; corpus-smt/bv/sum-of-shifts-3-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (! (= (bvadd (bvshl x y) (bvshl #b111 y)) #b001) :interpolation-group g1))
(assert (! (bvult #b000 y) :interpolation-group g0))
(check-sat)
