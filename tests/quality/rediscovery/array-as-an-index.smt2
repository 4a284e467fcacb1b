; An array has 0 at index 0. A table with arrays as indices is 0 for it, and for it with 0 written to index 0: unsat.
; Bug: mbp_arrays.cpp takes two equal indices that are arrays for distinct ones, by the look of their values.
; Wrong: 5.1.0 and all tested later releases answer sat if the equation is used; 5.0.0 is right.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 17.
(set-logic HORN)
(declare-fun cells ((Array Int Int)) Bool)
(assert (cells ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int))) (=> (cells a) (cells (store a 1 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (table (Array (Array Int Int) Int)))
  (=> (and (cells a) (= b (store a 0 0)) (= (select table a) 0) (= (select table b) 0) (= (select a 0) 0)
           (> (select a 1) 0))
      false)))
(check-sat)
