; A question about corpus-smt/bv/sum-wraps-31-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((x #b1111111111111111111111111111111) (y #b1000000000000000000000000000011)))")
(declare-fun x () (_ BitVec 31))
(declare-fun y () (_ BitVec 31))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 30 30) x) #b1))
(assert (= ((_ extract 30 30) y) #b1))
(check-sat)
