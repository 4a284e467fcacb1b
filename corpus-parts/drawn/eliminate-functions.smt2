; A drawn question to eliminate: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (k) ((f 7) (i 7) (j 7) (k (- 1))))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (f (mod i 3)) (ite (< k k) 3 (- 1 i)) k))
(check-sat)
