; A drawn question to ground: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(ground (p q) ((p true) (q false) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (and (and (or (=> false true) (xor q q)) (= (xor q p) (and true p))) (=> (not (or q false)) (not (=> p q)))))
(check-sat)
