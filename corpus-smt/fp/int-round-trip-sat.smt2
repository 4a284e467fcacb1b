; a 32-bit integer differs after a conversion to single precision and back
(set-logic ALL)
(set-info :status sat)
(declare-fun v () (_ BitVec 32))
(assert (bvult v #x40000000))
(assert (distinct v ((_ fp.to_sbv 32) RTZ ((_ to_fp 8 24) RNE v))))
(check-sat)
