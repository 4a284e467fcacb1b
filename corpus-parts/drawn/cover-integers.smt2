; A drawn question to cover: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cover (j) ((i 1) (j 2) (k 4)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (distinct 3 (+ i 3) (* i (* 1 1))) (< k 3)))
(assert (distinct j (* 2 (mod (* 2 3) 3)) k))
(check-sat)
