; A question about corpus-smt/bv/shifted-sum-3-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x y) ((x #b111) (y #b001)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult #b001 x))
(assert (distinct (bvadd (bvshl x y) x) (bvmul x (bvadd (bvshl x y) #b001))))
(check-sat)
