; A drawn question to cover: vectors.
(set-logic ALL)
(set-info :chcfuzz-part "(cover (x y) ((x #x8) (y #x8) (z #x8)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (not (distinct y #x8 y)))
(assert (= #x0 (bvshl (bvadd x x) #x0)))
(check-sat)
