; A question about corpus-smt/bv/sum-wraps-48-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (simplify) ((x #xfffffffffff0) (y #x80000000001e)))")
(declare-fun x () (_ BitVec 48))
(declare-fun y () (_ BitVec 48))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 47 47) x) #b1))
(assert (= ((_ extract 47 47) y) #b1))
(check-sat)
