; for i from 0 to 4 in steps of 2, as long as it is chosen: a[i] := 7
; for any j = 2 k + 0 with 0 <= j < i: assert a[j] = 7
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop a 0)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (loop a i) (<= i 4) (= b (store a i 7))) (loop b (+ i 2)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (k Int))
  (=> (and (loop a i) (<= 0 j) (< j i) (= j (+ (* 2 k) 0)) (not (= (select a j) 7))) false)))
(check-sat)
