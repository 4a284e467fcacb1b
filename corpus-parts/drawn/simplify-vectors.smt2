; A drawn question to simplify: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((x #x1) (y #x1) (z #xf)) ((elim_and false)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvule (bvadd #x1 (bvmul #x8 #x8)) y))
(check-sat)
