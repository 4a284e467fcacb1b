; A drawn question to cube: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cube () ((i 3) (j 3) (k (- 1))))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (div i 2) 0 k))
(assert (distinct (div (* (mod 1 3) i) 2) (mod (* 2 1) 3) k))
(check-sat)
