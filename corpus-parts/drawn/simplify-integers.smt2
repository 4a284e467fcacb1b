; A drawn question to simplify: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(simplify () ((i 3) (j 1) (k 0)) ((hoist_ite true)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (distinct 0 i i) (= k (ite (< 0 3) (div 0 3) (mod j 3)))))
(check-sat)
