; a byte is another number if it has no sign
(set-logic ALL)
(set-info :status sat)
(declare-fun v () (_ BitVec 8))
(assert (distinct ((_ to_fp 8 24) RNE v) ((_ to_fp_unsigned 8 24) RNE v)))
(check-sat)
