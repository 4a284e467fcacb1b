; A question about corpus-smt/bool/conditions-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((p false) (q true) (r false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (distinct (ite p q r) (and (=> p q) (=> (not q) r))))
(check-sat)
