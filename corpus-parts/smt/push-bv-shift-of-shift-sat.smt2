; A question about corpus-smt/bv/shift-of-shift-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x #x7) (y #x1) (z #xf)))")
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(declare-fun z () (_ BitVec 4))
(assert (distinct (bvshl (bvshl x y) z) (bvshl x (bvadd y z))))
(check-sat)
