; A question about corpus-smt/fp/int-round-trip-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (elim-unconstrained ng-push-app-ite) ((v #x113ff06d)))")
(declare-fun v () (_ BitVec 32))
(assert (bvult v #x40000000))
(assert (distinct v ((_ fp.to_sbv 32) RTZ ((_ to_fp 8 24) RNE v))))
(check-sat)
