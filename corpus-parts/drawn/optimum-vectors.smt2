; A drawn question to optimum: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (y z) ((x #x7) (y #x7) (z #x5)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvule (bvurem x #x8) (bvmul y #x1)))
(assert (distinct (bvmul (bvadd z #x8) (bvnot #x0)) (bvshl (bvshl #x8 #x8) (bvnot #x0)) (bvurem y (bvsub z #x0))))
(check-sat)
