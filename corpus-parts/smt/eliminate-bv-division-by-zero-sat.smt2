; A question about corpus-smt/bv/division-by-zero-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (x y) ((x #b000000) (y #b000000)))")
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (= y (bvand x #b000000)))
(assert (or (distinct (bvudiv x y) #b011111) (distinct (bvurem x y) x)))
(check-sat)
