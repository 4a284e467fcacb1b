; snapshots of a memory: an address that is not written differs
(set-logic ALL)
(set-info :status unsat)
(declare-fun h () (Seq (Array Int Int)))
(declare-fun m () (Array Int Int))
(assert (= h (seq.++ (seq.unit m) (seq.unit (store m 3 1)))))
(assert (distinct (select (seq.nth h 0) 4) (select (seq.nth h 1) 4)))
(check-sat)
