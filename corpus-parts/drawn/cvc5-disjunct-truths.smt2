; A drawn question to cvc5-disjunct: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (p) ((p false) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (xor (= r q) (not p))))
(assert (not (and (and true false) (not false))))
(check-sat)
