; A drawn question to implicant: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((i 1) (j 1) (k (- 1))))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (<= (* 2 3) 1) (distinct 3 (div j 2) (div j 1))))
(assert (<= (ite (distinct 3 1) (mod (ite (distinct 1 j 3) i 3) 3) (* (+ 3 k) 3)) (div i 2)))
(check-sat)
