; A question about corpus-smt/bv/shift-out-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x #b100) (y #b001)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult y #b010))
(assert (distinct x (bvlshr (bvshl x y) y)))
(assert (= #b1 ((_ extract 2 2) x)))
(check-sat)
