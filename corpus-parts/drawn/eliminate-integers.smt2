; A drawn question to eliminate: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(eliminate (i) ((i (- 2)) (j 0) (k (- 2))) ((by qe-light)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (< k j) (<= (- 1 i) (mod j j))))
(check-sat)
