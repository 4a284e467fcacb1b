; a[0] = 1 and a[1] = 1; each turn reads a[c[i]], where c is any array with c[i] in {0, 1}
; assert that the sum of what was read is the number of turns
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (and (= (select a 0) 1) (= (select a 1) 1)) (loop 0 0 a))))
(assert (forall ((a (Array Int Int)) (c (Array Int Int)) (i Int) (s Int))
  (=> (and (loop i s a) (<= 0 (select c i)) (<= (select c i) 1))
      (loop (+ i 1) (+ s (select a (select c i))) a))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int)) (=> (and (loop i s a) (not (= s i))) false)))
(check-sat)
