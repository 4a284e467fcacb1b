; A drawn question to mbp: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(mbp (r) ((p true) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (= (ite (and r true) (ite q p p) (and true p)) (and (= r q) (ite q q r))))
(assert (not (not (= r q))))
(check-sat)
