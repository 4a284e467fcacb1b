; A question about corpus-smt/bool/shared-lets-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(project (q) ((p true) (q false)))")
(declare-fun p () Bool)
(declare-fun q () Bool)
(assert (not (=> (or p q) (and p q))))
(check-sat)
