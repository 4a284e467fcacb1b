; A drawn question to simplifier: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (bit-blast) ((x #x5) (y #x5) (z #x5)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt (bvurem (bvsdiv #x0 #x1) (bvmul x y)) y))
(check-sat)
