; A drawn question to simplify: functions.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((f (- 2)) (i (- 2)) (j 3) (k 2)) ((flat_and_or false)))")
(declare-fun f (Int) Int)
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (not (distinct 0 (mod 3 3) (* 2 0))))
(check-sat)
