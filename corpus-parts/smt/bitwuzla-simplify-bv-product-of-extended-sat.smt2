; A question about corpus-smt/bv/product-of-extended-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((x #b111) (y #b111)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= ((_ extract 5 4) (bvmul ((_ zero_extend 3) x) ((_ zero_extend 3) y))) #b11))
(check-sat)
