; A drawn question to cvc5-simplify: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x #xf) (y #xf) (z #xf)) ((substitutions false)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (bvslt #x0 (bvadd #x8 x)))
(assert (bvslt (bvshl y #x0) (bvurem y #x8)))
(check-sat)
