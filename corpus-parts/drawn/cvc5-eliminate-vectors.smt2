; A drawn question to cvc5-eliminate: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (x) ((x #xf) (y #xf) (z #xf)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (bvult (bvsub x y) (bvsdiv #x0 #x8))))
(assert (not (bvule (bvsdiv #x8 (ite (bvule #x0 y) #x0 #x0)) (ite (distinct #x1 x x) (bvmul y #x0) (bvshl z x)))))
(check-sat)
