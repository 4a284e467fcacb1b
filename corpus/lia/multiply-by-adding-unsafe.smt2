; assume x >= 0 and y >= 0
; i, product := 0, 0
; while i < x:
;     i, product := i + 1, product + y
; assert product >= i
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (i Int) (product Int))
  (=> (and (>= x 0) (>= y 0) (= i 0) (= product 0)) (loop x y i product))))
(assert (forall ((x Int) (y Int) (i Int) (product Int))
  (=> (and (loop x y i product) (< i x)) (loop x y (+ i 1) (+ product y)))))
(assert (forall ((x Int) (y Int) (i Int) (product Int))
  (=> (and (loop x y i product) (>= i x) (< product i)) false)))
(check-sat)
