; A drawn question to qsat: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(qsat (p) ((p true) (q true) (r true)) ((bound exists)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (ite (and (and (or p p) (=> p q)) (and (ite p true p) (or p true))) (= (not (xor p q)) (xor (xor p q) (not false))) (ite (=> (xor p r) (not q)) (not (and true p)) (xor (=> p false) (=> p p)))))
(check-sat)
