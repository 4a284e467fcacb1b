; A drawn question to cvc5-disjunct: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (z) ((x #x2) (y #x5) (z #x2)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvule z (bvnot (bvsdiv #x0 #x8))))
(check-sat)
