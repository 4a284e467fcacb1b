; A drawn question to cvc5-eliminate: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (q) ((p true) (q false) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (ite (ite p false true) (or false p) (xor q false))))
(assert (= (and (or r r) (=> q true)) (ite (ite q q false) (not q) (=> p r))))
(check-sat)
