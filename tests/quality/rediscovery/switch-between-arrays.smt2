; A positive number switches to the array a, others to b; four other cells are written. Cell 5 of the result is that of b
; for -1, so nothing derives 1 there and 2 in b: sat.
; Bug: mbp_arrays_tg.cpp marks an ite of arrays as done and leaves out its condition.
; Wrong: 4.12.3.0 and all tested later releases answer unsat if facts may be disjunctions; 4.12.2.0 is right.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 21.
(set-logic HORN)
(declare-fun filled ((Array Int Int)) Bool)
(declare-fun switched (Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (> (select a 0) 0) (filled a))))
(assert (forall ((a (Array Int Int))) (=> (and (filled a) (> (select a 0) 500)) (filled (store a 0 600)))))
(assert (forall ((n Int) (r (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (filled a)
           (= r (store (store (store (store (ite (< 0 n) a b) 10 (ite (< 1 n) 0 7)) 11 (ite (< 2 n) 0 7))
                              12 (ite (< 3 n) 0 7)) 13 (ite (< 4 n) 0 7))))
      (switched n r b))))
(assert (forall ((n Int) (m Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)))
  (=> (and (switched n a b) (switched m c d) (= n 1) (= m (- 1)) (= (select c 5) 1) (= (select d 5) 2)) false)))
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (switched n a b) (> n 100)) (switched (+ n 1) a b))))
(check-sat)
