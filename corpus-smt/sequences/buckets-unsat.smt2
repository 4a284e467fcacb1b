; a hash table: a key that was added is in no bucket
(set-logic ALL)
(set-info :status unsat)
(declare-fun b () (Array Int (Seq Int)))
(declare-fun c () (Array Int (Seq Int)))
(declare-fun k () Int)
(assert (= c (store b (mod k 4) (seq.++ (seq.unit k) (select b (mod k 4))))))
(assert (not (seq.contains (select c (mod k 4)) (seq.unit k))))
(check-sat)
