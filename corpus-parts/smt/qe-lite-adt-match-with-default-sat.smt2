; A question about corpus-smt/adt/match-with-default-sat.smt2, with its witness as the model.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (m) ((n zero) (m (succ zero))))")
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun n () Nat)
(declare-fun m () Nat)
(assert (= m (ite ((_ is zero) n) (succ zero) n)))
(assert ((_ is succ) m))
(check-sat)
