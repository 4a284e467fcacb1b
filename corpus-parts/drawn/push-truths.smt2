; A drawn question to push: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((p true) (q false) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (or (=> (xor r true) (and q r)) (xor (ite p p false) (and true p))))
(assert (or (= (xor q p) (=> p r)) (and (not false) (=> r p))))
(check-sat)
