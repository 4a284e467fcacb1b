; a[2] := x; i := 0
; while a[i] != x: i := i + 1
; assert i = 2
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int)) (=> (= b (store a 2 x)) (loop b 0 x))))
(assert (forall ((a (Array Int Int)) (i Int) (x Int))
  (=> (and (loop a i x) (distinct (select a i) x)) (loop a (+ i 1) x))))
(assert (forall ((a (Array Int Int)) (i Int) (x Int))
  (=> (and (loop a i x) (= (select a i) x) (not (= i 2))) false)))
(check-sat)
