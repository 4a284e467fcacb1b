; A question about corpus-smt/bv/masks-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x #b11101110011) (m #b00100000011)))")
(declare-fun x () (_ BitVec 11))
(declare-fun m () (_ BitVec 11))
(assert (or (distinct x (bvor (bvand x m) (bvand x (bvnot m)))) (distinct x (bvxor (bvand x m) (bvand x (bvnot m)))) (distinct x (bvadd (bvand x m) (bvshl (bvand x (bvnot m)) m)))))
(check-sat)
