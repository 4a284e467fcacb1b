; assume 0 <= key < n
; i := 0
; while true:
;     if i = key: break
;     i := i + 1
; assert i > n
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(declare-fun after (Int Int) Bool)
(assert (forall ((n Int) (key Int)) (=> (and (<= 0 key) (< key n)) (loop n key 0))))
(assert (forall ((n Int) (key Int) (i Int)) (=> (and (loop n key i) (not (= i key))) (loop n key (+ i 1)))))
(assert (forall ((n Int) (key Int) (i Int)) (=> (and (loop n key i) (= i key)) (after n i))))
(assert (forall ((n Int) (i Int)) (=> (and (after n i) (not (> i n))) false)))
(check-sat)
