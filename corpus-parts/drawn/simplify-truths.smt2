; A drawn question to simplify: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((p true) (q false) (r false)) ((bv_not_simpl false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (xor (or (and true p) (= q q)) (not (=> q p))))
(assert (= (not (xor p r)) (= (ite true false true) (= false q))))
(check-sat)
