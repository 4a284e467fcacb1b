; each turn writes a value of any array d to a[c[i]], where c is any array with c[i] >= 0, and d[c[i]] > 0
; assert that a[0] is 0, as it was
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 0) (loop 0 a))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)) (i Int))
  (=> (and (loop i a)
           (>= (select c i) 0)
           (> (select d (select c i)) 0)
           (= b (store a (select c i) (select d (select c i)))))
      (loop (+ i 1) b))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (loop i a) (not (= (select a 0) 0))) false)))
(check-sat)
