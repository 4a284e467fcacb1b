; A drawn question to qe-lite: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(qe-lite (i) ((i 1) (j 3) (k 1)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (<= (div i 2) (mod (- 1 3) 3)) (= (* 2 (ite (= 1 j) 1 0)) (div (ite (= i i) 0 1) (mod i 3)))))
(check-sat)
