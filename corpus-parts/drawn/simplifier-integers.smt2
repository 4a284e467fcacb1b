; A drawn question to simplifier: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(simplifier (simplify simplify) ((i 1) (j 0) (k 1)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (= (+ (+ j 1) k) (+ (mod i 3) k)))
(assert (< (ite (or (< i 3) (= k 1)) 1 i) 3))
(check-sat)
