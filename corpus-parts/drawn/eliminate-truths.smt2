; A drawn question to eliminate: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (q) ((p false) (q true) (r false)) ((by qe_rec)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (xor (ite p q true) (xor r false)))
(check-sat)
