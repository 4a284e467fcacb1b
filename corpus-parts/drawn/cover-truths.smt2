; A drawn question to cover: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(cover (p r) ((p true) (q true) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (and (ite (not (=> q r)) (or (not p) (=> q r)) (and (or true true) (=> p r))) (= (and (=> q r) (and true q)) (ite (= r true) (not q) (not q))))))
(check-sat)
