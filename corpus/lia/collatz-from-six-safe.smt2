; n := 6
; while n != 1:
;     if n mod 2 = 0: n := n div 2
;     else: n := 3 * n + 1
;     assert n <= 16
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int) Bool)
(assert (loop 6))
(assert (forall ((n Int)) (=> (and (loop n) (distinct n 1) (= (mod n 2) 0)) (loop (div n 2)))))
(assert (forall ((n Int)) (=> (and (loop n) (distinct n 1) (= (mod n 2) 1)) (loop (+ (* 3 n) 1)))))
(assert (forall ((n Int)) (=> (and (loop n) (not (<= n 16))) false)))
(check-sat)
