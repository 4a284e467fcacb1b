; A question about corpus-smt/quantifiers/words-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x #b001)))")
(declare-fun x () (_ BitVec 3))
(assert (forall ((y (_ BitVec 3)))
    (= (bvmul x y) y)))
(assert (distinct x #b000))
(check-sat)
