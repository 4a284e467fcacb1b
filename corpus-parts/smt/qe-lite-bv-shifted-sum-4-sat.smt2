; A question about corpus-smt/bv/shifted-sum-4-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (y) ((x #x6) (y #x0)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (bvult #x1 x))
(assert (distinct (bvadd (bvshl x y) x) (bvmul x (bvadd (bvshl x y) #x1))))
(check-sat)
