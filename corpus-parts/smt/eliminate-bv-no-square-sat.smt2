; A question about corpus-smt/bv/no-square-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (x) ((x #x97)))")
(declare-fun x () (_ BitVec 8))
(assert (= (bvmul x x) #x11))
(check-sat)
