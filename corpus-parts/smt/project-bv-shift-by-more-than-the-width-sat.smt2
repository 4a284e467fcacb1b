; A question about corpus-smt/bv/shift-by-more-than-the-width-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (x) ((x #b100) (y #b010)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvuge y #b010))
(assert (distinct #b000 (bvlshr x y)))
(check-sat)
