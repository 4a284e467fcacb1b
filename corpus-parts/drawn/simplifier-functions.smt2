; A drawn question to simplifier: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (elim-term-ite) ((f 1) (i 4) (j 2) (k 3)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= (f i) k))
(check-sat)
