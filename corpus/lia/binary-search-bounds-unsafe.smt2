; assume n > 0
; low, high := 0, n
; while low < high:
;     middle := (low + high + 1) div 2
;     assert 0 <= middle < n
;     either low := middle + 1 or high := middle
; assert 0 <= low <= n
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 0) (loop n 0 n))))
(assert (forall ((n Int) (low Int) (high Int) (middle Int))
  (=> (and (loop n low high) (< low high) (= middle (div (+ low high 1) 2)))
      (loop n (+ middle 1) high))))
(assert (forall ((n Int) (low Int) (high Int) (middle Int))
  (=> (and (loop n low high) (< low high) (= middle (div (+ low high 1) 2))) (loop n low middle))))
(assert (forall ((n Int) (low Int) (high Int) (middle Int))
  (=> (and (loop n low high)
           (< low high)
           (= middle (div (+ low high 1) 2))
           (or (< middle 0) (>= middle n)))
      false)))
(assert (forall ((n Int) (low Int) (high Int))
  (=> (and (loop n low high) (>= low high) (or (< low 0) (> low n))) false)))
(check-sat)
