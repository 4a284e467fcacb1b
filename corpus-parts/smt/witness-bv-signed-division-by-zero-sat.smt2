; A question about corpus-smt/bv/signed-division-by-zero-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (x) ((x #b111)))")
(declare-fun x () (_ BitVec 3))
(assert (= (bvsdiv x #b000) #b001))
(assert (bvslt x #b000))
(check-sat)
