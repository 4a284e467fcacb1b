; A drawn question to consequences: integers.
(set-logic ALL)
(set-info :chcfuzz-part "(consequences (i) ((i 4) (j (- 1)) (k 4)) ((assumed true)))")
(declare-fun i () Int)
(declare-fun j () Int)
(declare-fun k () Int)
(assert (= (mod k k) (ite (< i j) 0 0)))
(check-sat)
