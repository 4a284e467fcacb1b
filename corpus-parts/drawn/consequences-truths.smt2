; A drawn question to consequences: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(consequences (r) ((p false) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (and (xor (or true false) (not false)) (xor (or true false) (= r true)))))
(check-sat)
