; A drawn question to cvc5-disjunct: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (i) ((i 3) (j 3) (k 7)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (+ (* 1 0) (mod 3 i)) 3))
(check-sat)
