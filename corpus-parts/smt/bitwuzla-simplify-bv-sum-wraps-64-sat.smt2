; A question about corpus-smt/bv/sum-wraps-64-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((x #xfeffffffffffe000) (y #x8100000000003ffe)))")
(declare-fun x () (_ BitVec 64))
(declare-fun y () (_ BitVec 64))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 63 63) x) #b1))
(assert (= ((_ extract 63 63) y) #b1))
(check-sat)
