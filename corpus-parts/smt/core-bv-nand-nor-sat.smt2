; A question about corpus-smt/bv/nand-nor-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((x #b1000000000) (y #b0000000000)))")
(declare-fun x () (_ BitVec 10))
(declare-fun y () (_ BitVec 10))
(assert (distinct (bvnand x y) (bvand (bvnot x) (bvnot y))))
(check-sat)
