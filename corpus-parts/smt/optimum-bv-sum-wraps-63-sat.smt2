; A question about corpus-smt/bv/sum-wraps-63-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (x) ((x #b110100110101010000101001011010011010101101010110001010101011000) (y #b110110100101010111101101010010111111110100010100101010101001100)))")
(declare-fun x () (_ BitVec 63))
(declare-fun y () (_ BitVec 63))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 62 62) x) #b1))
(assert (= ((_ extract 62 62) y) #b1))
(check-sat)
