; A question about corpus-smt/bv/signed-order-by-unsigned-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (elim-small-bv bv1-blast) ((x #b100) (y #b101)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (xor (bvslt x y) (bvult (bvxor x #b000) (bvxor y #b100))))
(check-sat)
