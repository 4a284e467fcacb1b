; assume n >= 0
; from, to := n, 1
; while from > 0:
;     from, to := from - 1, to + 1
; assert to = n
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (loop n n 1))))
(assert (forall ((n Int) (from Int) (to Int) (from1 Int) (to1 Int))
  (=> (and (loop n from to) (> from 0) (= from1 (- from 1)) (= to1 (+ to 1))) (loop n from1 to1))))
(assert (forall ((n Int) (from Int) (to Int)) (=> (and (loop n from to) (<= from 0) (not (= to n))) false)))
(check-sat)
