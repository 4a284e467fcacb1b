; snapshots of a memory: the second differs at one address
(set-logic ALL)
(set-info :status sat)
(declare-fun h () (Seq (Array Int Int)))
(declare-fun m () (Array Int Int))
(assert (= h (seq.++ (seq.unit m) (seq.unit (store m 3 1)))))
(assert (distinct (seq.nth h 0) (seq.nth h 1)))
(check-sat)
