; A drawn question to simplify: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((x #x7) (y #xf) (z #x1)) ((sort_sums false)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvule (bvadd #x1 (bvmul #x8 #x8)) y))
(assert (not (bvult #x8 (bvudiv #x8 y))))
(check-sat)
