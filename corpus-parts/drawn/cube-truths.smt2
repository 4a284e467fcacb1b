; A drawn question to cube: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(cube () ((p true) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (xor (or (ite (or r false) (= true q) (=> false true)) (ite (xor p false) (=> r q) (=> p q))) (not (and (= true false) (xor false q))))))
(check-sat)
