; A question about corpus-smt/bv/sum-of-shifts-5-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-simplify () ((x #b00000) (y #b00110)))")
(declare-fun x () (_ BitVec 5))
(declare-fun y () (_ BitVec 5))
(assert (= (bvadd (bvshl x y) (bvshl #b11111 y)) #b00000))
(assert (bvult #b00000 y))
(check-sat)
