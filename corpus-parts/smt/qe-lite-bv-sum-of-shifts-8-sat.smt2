; A question about corpus-smt/bv/sum-of-shifts-8-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (y) ((x #x00) (y #x0f)))")
(declare-fun x () (_ BitVec 8))
(declare-fun y () (_ BitVec 8))
(assert (= (bvadd (bvshl x y) (bvshl #xff y)) #x00))
(assert (bvult #x00 y))
(check-sat)
