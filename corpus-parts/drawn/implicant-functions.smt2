; A drawn question to implicant: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((f 0) (i 4) (j 4) (k 4)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (+ j j) (div 3 2)))
(check-sat)
