(declare-const m RoundingMode)
(declare-fun f (RoundingMode) Float32)
(assert (fp.lt (f m) ((_ to_fp 8 24) m #x00)))
(check-sat)
