; A drawn question to cvc5-disjunct: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(cvc5-disjunct (j) ((i (- 2)) (j (- 2)) (k (- 2))))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (distinct (+ (* 1 0) (mod 3 i)) 3))
(assert (< (- j (mod (* 2 j) (+ k 1))) (* 2 (- (+ 3 3) (div k j)))))
(check-sat)
