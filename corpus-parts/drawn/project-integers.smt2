; A drawn question to project: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(project (i j) ((i 0) (j 0) (k 3)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= (+ i j) 1))
(check-sat)
