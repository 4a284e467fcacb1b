; A drawn question to optimum: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (j) ((f 7) (i 7) (j 7) (k 1)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (div (f 1) 2) (- (ite (<= i j) j 3) 0)))
(check-sat)
