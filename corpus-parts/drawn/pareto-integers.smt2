; A drawn question to pareto: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(pareto (j k) ((i 3) (j 7) (k 1)) ((direction maximize)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (not (distinct (div (div j 1) k) 1 (+ (mod k i) 0))))
(check-sat)
