; A drawn question to bitwuzla-simplify: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-simplify () ((p true) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (and (=> false p) (ite false q p)))
(check-sat)
