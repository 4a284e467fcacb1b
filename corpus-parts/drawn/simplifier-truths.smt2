; A drawn question to simplifier: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (bit-blast) ((p false) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (xor (ite (xor p r) (xor q p) (not false)) (=> (or q p) (not true))))
(check-sat)
