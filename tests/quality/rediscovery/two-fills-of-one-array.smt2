; Memory of four cells, full of x but for one write, and of y but for one write: as one array, x is y, and stays 1.
; Bug: the array solver equates writes to two constant arrays of different elements, although cells are left over.
; Wrong: 5.1.0.0 and older answer unsat once the array is not a term but a variable; 4.8.14.0 and 5.3.0.0 are right.
; Fix: theory_array_full::check_const_arrays, between 5.1.0 and 5.3.0. Up to 4.16.0 the rewriter is wrong too (Z3 34ba2962ef, pull request 9572).
(set-logic HORN)
(declare-fun fill (Int Int) Bool)
(declare-fun memory (Int (Array (_ BitVec 2) Int)) Bool)
(assert (fill 0 1))
(assert (forall ((x Int) (i (_ BitVec 2)) (v Int)) (memory x (store ((as const (Array (_ BitVec 2) Int)) x) i v))))
(assert (forall ((n Int) (x Int) (y Int) (m (Array (_ BitVec 2) Int)))
  (=> (and (fill n x) (memory x m) (memory y m)) (fill (+ n 1) y))))
(assert (forall ((n Int) (x Int)) (=> (and (fill n x) (not (= x 1))) false)))
(check-sat)
