; A question about corpus-smt/bv/average-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (x y) ((x #b001000) (y #b111011)))")
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (bvult x y))
(assert (or (bvult (bvadd (bvand x y) (bvlshr (bvxor x y) #b000001)) x) (bvult (bvadd (bvand x y) (bvlshr (bvxor x y) #b000001)) y)))
(check-sat)
