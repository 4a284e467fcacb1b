; A drawn question to pareto: truths.
(set-logic ALL)
(set-info :chcfuzz-part "(pareto (p q r) ((p false) (q false) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (or (or (=> true false) (=> q false)) (and (or p q) (not p))))
(assert (not (and (= (ite (and q true) (and r q) (not true)) (=> (=> true q) (xor p p))) (or (= (=> false q) (xor p p)) (and (= q p) (not true))))))
(check-sat)
