; A question about corpus-smt/bv/one-bit-arithmetic-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (x y) ((x #b1) (y #b1)))")
(declare-fun x () (_ BitVec 1))
(declare-fun y () (_ BitVec 1))
(assert (or (distinct (bvadd x y) (bvxor x y)) (distinct (bvmul x y) (bvand x y)) (distinct (bvsub x y) (bvor x y))))
(check-sat)
