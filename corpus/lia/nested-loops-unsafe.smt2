; assume n >= 0
; i, count := 0, 0
; while i < n:
;     j := 0
;     while j < 1:
;         j, count := j + 1, count + 1
;     i := i + 1
; assert count >= i + i
(set-logic HORN)
(set-info :status unsat)
(declare-fun outer (Int Int Int) Bool)
(declare-fun inner (Int Int Int Int) Bool)
(assert (forall ((n Int) (i Int) (count Int)) (=> (and (>= n 0) (= i 0) (= count 0)) (outer n i count))))
; into the inner loop, around it, and out of it
(assert (forall ((n Int) (i Int) (count Int)) (=> (and (outer n i count) (< i n)) (inner n i 0 count))))
(assert (forall ((n Int) (i Int) (j Int) (count Int))
  (=> (and (inner n i j count) (< j 1)) (inner n i (+ j 1) (+ count 1)))))
(assert (forall ((n Int) (i Int) (j Int) (count Int))
  (=> (and (inner n i j count) (>= j 1)) (outer n (+ i 1) count))))
(assert (forall ((n Int) (i Int) (count Int)) (=> (and (outer n i count) (>= i n) (< count (+ i i))) false)))
(check-sat)
