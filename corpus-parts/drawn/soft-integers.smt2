; A drawn question to soft: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(soft () ((i 4) (j (- 1)) (k 7)) ((engine wmax)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (distinct j (ite (<= 3 j) k (+ 0 3)) j) (distinct (* 2 (* i j)) (+ i (* 2 i)))))
(assert (< (mod j (* i (div k 2))) (+ (* (+ j k) k) (* 3 (div i i)))))
(check-sat)
