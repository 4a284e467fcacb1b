; A drawn question to core: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(core () ((i 0) (j 1) (k 0)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (= k (* (* 2 k) (+ 0 j))) (or (distinct (mod i k) (div j 2)) (< (* 3 0) (div i 2)))))
(assert (not (distinct (div j 0) (* j i) (mod 0 3))))
(check-sat)
