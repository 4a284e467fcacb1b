; A drawn question to witness: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(witness (i j) ((i (- 2)) (j 7) (k 7)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct 0 (div j 2)))
(assert (or (distinct j 0 i) (distinct 0 k)))
(check-sat)
