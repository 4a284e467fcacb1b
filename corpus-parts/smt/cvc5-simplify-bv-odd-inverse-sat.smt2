; A question about corpus-smt/bv/odd-inverse-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x #b101011)))")
(declare-fun x () (_ BitVec 6))
(assert (= (bvmul x #b000011) #b000001))
(assert (= ((_ extract 1 0) x) #b11))
(check-sat)
