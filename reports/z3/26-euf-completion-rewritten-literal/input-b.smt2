(declare-const b Bool)
(assert (or b true))
(check-sat-using (then euf-completion smt))
