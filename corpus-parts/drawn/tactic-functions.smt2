; A drawn question to tactic: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (smtfd) ((f 3) (i 1) (j 3) (k 0)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (- (mod j 3) (f 0)) (ite (<= j k) k (f 3)) k))
(check-sat)
