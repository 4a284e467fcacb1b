; A question about corpus-smt/fp/unsigned-bytes-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((v #x98)))")
(declare-fun v () (_ BitVec 8))
(assert (distinct ((_ to_fp 8 24) RNE v) ((_ to_fp_unsigned 8 24) RNE v)))
(check-sat)
