; A question about corpus-smt/bv/sum-wraps-13-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (y) ((x #b1111110000000) (y #b1000011111110)))")
(declare-fun x () (_ BitVec 13))
(declare-fun y () (_ BitVec 13))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 12 12) x) #b1))
(assert (= ((_ extract 12 12) y) #b1))
(check-sat)
