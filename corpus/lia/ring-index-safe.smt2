; assume n > 0
; i := 0
; repeat for ever:
;     i := i + 1
;     if i = n: i := 0
;     assert 0 <= i < n
(set-logic HORN)
(set-info :status sat)
(declare-fun ring (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 0) (ring n 0))))
(assert (forall ((n Int) (i Int) (j Int))
  (=> (and (ring n i) (= j (ite (= (+ i 1) n) 0 (+ i 1)))) (ring n j))))
(assert (forall ((n Int) (i Int)) (=> (and (ring n i) (not (and (<= 0 i) (< i n)))) false)))
(check-sat)
