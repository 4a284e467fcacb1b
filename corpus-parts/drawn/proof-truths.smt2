; A drawn question to proof: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(proof)")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (and (not q) (ite p q p))))
(assert (not (not (and (not q) (ite p q p)))))
(check-sat)
