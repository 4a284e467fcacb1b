; A question about corpus-smt/bv/cancelled-shift-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((x #b001) (y #b001)))")
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= #b1 ((_ extract 0 0) x)))
(assert (= y #b001))
(assert (= #b000 (bvadd x (bvshl x y) (bvneg (bvmul x #b011)))))
(check-sat)
