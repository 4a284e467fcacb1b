; A question about corpus-smt/bv/extensions-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((x #b011)))")
(declare-fun x () (_ BitVec 3))
(assert (= ((_ zero_extend 2) x) ((_ sign_extend 2) x)))
(assert (bvuge x #b011))
(check-sat)
