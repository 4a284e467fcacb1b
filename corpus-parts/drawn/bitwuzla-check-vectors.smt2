; A drawn question to bitwuzla-check: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-check () ((x #x1) (y #x1) (z #x7)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (= (bvudiv (bvurem y #x1) #x1) (bvnot (bvshl #x8 y)))))
(assert (bvule y #x1))
(check-sat)
