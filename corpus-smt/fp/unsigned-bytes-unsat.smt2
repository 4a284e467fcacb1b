; a byte below 128 is the same number with and without a sign
(set-logic ALL)
(set-info :status unsat)
(declare-fun v () (_ BitVec 8))
(assert (distinct ((_ to_fp 8 24) RNE v) ((_ to_fp_unsigned 8 24) RNE v)))
(assert (bvult v #x80))
(check-sat)
