; A question about corpus-smt/bv/comparison-as-bit-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (y) ((x #b001) (y #b001)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (distinct (bvcomp x y) (bvand ((_ extract 2 2) (bvxnor x y)) ((_ extract 1 1) (bvxnor x y)) ((_ extract 0 0) (bvnor x y)))))
(check-sat)
