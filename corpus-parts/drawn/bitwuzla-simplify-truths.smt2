; A drawn question to bitwuzla-simplify: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((p true) (q false) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (and (=> false p) (ite false q p)))
(assert (or (and (ite q true q) (=> false false)) (and (or q p) (ite false r true))))
(check-sat)
