; A question about corpus-smt/bv/sum-of-shifts-3-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x y) ((x #b000) (y #b011)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= (bvadd (bvshl x y) (bvshl #b111 y)) #b000))
(assert (bvult #b000 y))
(check-sat)
