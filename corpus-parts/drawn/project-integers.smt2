; A drawn question to project: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(project (j) ((i 0) (j 1) (k 0)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= (+ i j) 1))
(assert (distinct j (- i 0)))
(check-sat)
