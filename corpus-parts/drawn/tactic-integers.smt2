; A drawn question to tactic: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(tactic (bv-slice) ((i 0) (j (- 2)) (k (- 2))))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (<= (ite (distinct j i) 0 3) (div k j)))
(assert (not (< (+ 3 0) 3)))
(check-sat)
