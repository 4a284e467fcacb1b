; A drawn question to ground: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(ground (y z) ((x #x0) (y #x0) (z #x8)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvult (bvnot (bvnot (bvsub y y))) #x1))
(assert (distinct (bvurem z #x0) (bvsdiv #x0 y) (bvudiv #x0 z)))
(check-sat)
