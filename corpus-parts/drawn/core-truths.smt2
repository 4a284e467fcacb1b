; A drawn question to core: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((p false) (q true) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (xor (=> p false) (and true r)))
(assert (not (xor (not q) (ite q false p))))
(check-sat)
