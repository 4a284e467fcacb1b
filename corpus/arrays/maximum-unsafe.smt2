; assume 0 <= k < 3
; m := a[0]
; for i from 1 to 2: if a[i] > m: m := a[i]
; assert m > a[k]
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (k Int) (m Int))
  (=> (and (<= 0 k) (< k 3) (= m (select a 0))) (loop a 1 k m))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int) (m Int))
  (=> (and (loop a i k m) (< i 3) (> (select a i) m)) (loop a (+ i 1) k (select a i)))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int) (m Int))
  (=> (and (loop a i k m) (< i 3) (<= (select a i) m)) (loop a (+ i 1) k m))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int) (m Int))
  (=> (and (loop a i k m) (= i 3) (not (> m (select a k)))) false)))
(check-sat)
