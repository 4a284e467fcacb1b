; read two numbers, write them to b in the same order
; assert b[0] = a[1] and b[1] = a[0]
(set-logic HORN)
(set-info :status unsat)
(declare-fun read ((Array Int Int)) Bool)
(declare-fun written ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (read a)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)))
  (=> (and (read a) (= b (store (store a 0 (select a 0)) 1 (select a 1)))) (written a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)))
  (=> (and (written a b)
           (or (distinct (select b 0) (select a 1)) (distinct (select b 1) (select a 0))))
      false)))
(check-sat)
