; A drawn question to tactic-proof: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic-proof (purify-arith))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (bvule (bvnot #x1) (bvand (ite (distinct #x8 #x1 z) #x0 #x1) (bvand #x0 #x8)))))
(assert (not (not (bvule (bvnot #x1) (bvand (ite (distinct #x8 #x1 z) #x0 #x1) (bvand #x0 #x8))))))
(check-sat)
