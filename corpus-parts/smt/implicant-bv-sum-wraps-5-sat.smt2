; A question about corpus-smt/bv/sum-wraps-5-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x #b11111) (y #b10011)))")
(declare-fun x () (_ BitVec 5))
(declare-fun y () (_ BitVec 5))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 4 4) x) #b1))
(assert (= ((_ extract 4 4) y) #b1))
(check-sat)
