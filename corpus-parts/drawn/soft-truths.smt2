; A drawn question to soft: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(soft () ((p true) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (and (ite (=> true p) (and p true) (not false)) (= (=> p q) (and true true))))
(assert (or (not (and p true)) (or (ite p q q) (and p true))))
(check-sat)
