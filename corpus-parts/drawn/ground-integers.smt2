; A drawn question to ground: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(ground (i j) ((i 0) (j (- 2)) (k 0)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (< (* (mod j 3) (* 2 i)) (ite (<= 0 j) 0 (+ 3 3))))
(assert (<= (* 2 i) (div (* 2 (* 3 0)) 2)))
(check-sat)
