; A drawn question to implicant: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((p false) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (or (=> (not (= q true)) (= (not p) (= p q))) (= (and (and r q) (not true)) (and (or p r) (=> r r)))))
(assert (xor (=> (ite (not p) (xor false false) (= r p)) (ite (not q) (not q) (=> r p))) (xor (ite (and p true) (ite p false q) (=> q q)) (not (ite false p q)))))
(check-sat)
