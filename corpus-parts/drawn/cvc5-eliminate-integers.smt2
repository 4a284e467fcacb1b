; A drawn question to cvc5-eliminate: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-eliminate (j k) ((i 1) (j 1) (k 1)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (or (or (= 3 0) (<= i 3)) (<= (ite (< 1 1) k i) (ite (= 0 1) 1 j))))
(assert (not (< (+ 3 j) k)))
(check-sat)
