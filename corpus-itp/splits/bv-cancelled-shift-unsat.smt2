; corpus-smt/bv/cancelled-shift-unsat, split
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (! (= #b1 ((_ extract 0 0) x)) :interpolation-group g1))
(assert (! (= y #b001) :interpolation-group g0))
(assert (! (= #b000 (bvadd x (bvshl x y) (bvneg (bvmul x #b101)))) :interpolation-group g1))
(check-sat)
