(declare-const b Bool)
(assert (or (not b) (not b)))
(assert b)
(check-sat-using (then euf-completion smt))
