; A question about corpus-smt/bv/sum-wraps-33-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x y) ((x #b111111111111111111111111111101000) (y #b100000000000000000000000000011110)))")
(declare-fun x () (_ BitVec 33))
(declare-fun y () (_ BitVec 33))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 32 32) x) #b1))
(assert (= ((_ extract 32 32) y) #b1))
(check-sat)
