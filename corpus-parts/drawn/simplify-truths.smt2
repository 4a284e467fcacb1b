; A drawn question to simplify: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((p false) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (xor (or (and true p) (= q q)) (not (=> q p))))
(check-sat)
