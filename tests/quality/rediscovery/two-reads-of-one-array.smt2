; Two reads of one array at the same index are equal, so nothing reads 0 and a positive number at index 0: sat.
; Bug: mbp_arrays_tg.cpp leaves out that two reads of an array agree if their indices do.
; Wrong: 4.14.1.0 and all tested later releases answer unsat without inlining; 4.14.0.0 is right.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 10.
(set-logic HORN)
(declare-fun ready (Bool) Bool)
(declare-fun reads (Int Int Int) Bool)
(declare-fun seen (Int) Bool)
(assert (ready false))
(assert (forall ((b Bool)) (=> (ready b) (ready true))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (ready true) (reads i (select a 0) (select a i)))))
(assert (forall ((v Int)) (=> (reads 0 v v) (seen v))))
(assert (forall ((v Int)) (=> (and (seen 1) (reads 0 v 0) (> v 0)) false)))
(check-sat)
