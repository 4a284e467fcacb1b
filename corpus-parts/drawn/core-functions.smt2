; A drawn question to core: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((f 7) (i 7) (j 1) (k 7)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= 3 (f (f j))))
(check-sat)
