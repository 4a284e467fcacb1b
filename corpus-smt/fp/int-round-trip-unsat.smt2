; no 16-bit integer differs after a conversion to single precision and back
(set-logic ALL)
(set-info :status unsat)
(declare-fun v () (_ BitVec 16))
(assert (distinct v ((_ fp.to_sbv 16) RTZ ((_ to_fp 8 24) RNE v))))
(check-sat)
