; A drawn question to bitwuzla-check: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(bitwuzla-check () ((p false) (q true) (r true)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (ite (ite (not q) (= p false) (and q false)) (xor (=> false p) (or p false)) (or (not false) (and q r))))
(check-sat)
