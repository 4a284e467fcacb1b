; assume x >= 0
; i, product := 0, 0
; while i <= x:
;     i, product := i + 1, product + 7
; assert product = 7 * x
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((x Int) (i Int) (product Int))
  (=> (and (>= x 0) (= i 0) (= product 0)) (loop x i product))))
(assert (forall ((x Int) (i Int) (product Int))
  (=> (and (loop x i product) (<= i x)) (loop x (+ i 1) (+ product 7)))))
(assert (forall ((x Int) (i Int) (product Int))
  (=> (and (loop x i product) (not (<= i x)) (distinct product (* 7 x))) false)))
(check-sat)
