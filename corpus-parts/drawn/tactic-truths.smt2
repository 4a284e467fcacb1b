; A drawn question to tactic: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (nla2bv) ((p true) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (not (not (=> r q))))
(assert (not (not true)))
(check-sat)
