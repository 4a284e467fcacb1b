; A drawn question to witness: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (x z) ((x #x8) (y #x8) (z #x8)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (= (bvnot (bvudiv z z)) z)))
(assert (not (bvult (bvadd #x1 y) (bvsub x x))))
(check-sat)
