; A drawn question to tactic: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (bv-divrem-bounds skip) ((x #x7) (y #x7) (z #x7)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (bvult z z)))
(assert (not (= (bvnot #x1) (bvurem #x8 z))))
(check-sat)
