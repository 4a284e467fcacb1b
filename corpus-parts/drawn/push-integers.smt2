; A drawn question to push: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(push () ((i (- 2)) (j 0) (k 4)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= 0 1))
(check-sat)
