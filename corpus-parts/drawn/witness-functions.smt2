; A drawn question to witness: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (j) ((f 0) (i 0) (j 0) (k 3)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (= (f j) j))
(check-sat)
