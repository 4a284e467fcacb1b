; A drawn question to optimum: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(optimum (j) ((i 3) (j 3) (k 3)) ((direction maximize)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (not (= 3 1)))
(assert (= (mod 3 (- j 0)) 0))
(check-sat)
