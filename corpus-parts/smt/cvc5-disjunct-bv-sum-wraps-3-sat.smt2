; A question about corpus-smt/bv/sum-wraps-3-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x) ((x #b111) (y #b111)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 2 2) x) #b1))
(assert (= ((_ extract 2 2) y) #b1))
(check-sat)
