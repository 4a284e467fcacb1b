; A question about corpus-smt/bv/sum-wraps-1-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (x y) ((x #b1) (y #b1)))")
(declare-fun x () (_ BitVec 1))
(declare-fun y () (_ BitVec 1))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 0 0) x) #b1))
(assert (= ((_ extract 0 0) y) #b1))
(check-sat)
