; A drawn question to consequences: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(consequences (q) ((p false) (q true) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (and (xor (or true false) (not false)) (xor (or true false) (= r true)))))
(assert (= (or p false) (not q)))
(check-sat)
