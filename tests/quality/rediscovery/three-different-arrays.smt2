; Two arrays differ from each other and from a third one, or in cell 0, so nothing derives a pair of equal arrays: sat.
; Bug: model_evaluator.cpp does not decide whether three arrays are distinct, and Spacer leaves out what is not decided.
; Wrong: all tested releases from 4.8.12.0 on answer unsat with another order of children.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 22.
(set-logic HORN)
(declare-fun filled (Int (Array Int Int)) Bool)
(declare-fun differ ((Array Int Int) (Array Int Int)) Bool)
(declare-fun marked ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((i Int) (a (Array Int Int))) (=> (> i (select a 1)) (filled i a))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (filled i a) (> i 500)) (filled (* 2 i) a))))
(assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (filled i a) (distinct b c a)) (differ b c))))
(assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (filled i a) (> (select a 0) 500) (= (select b 0) 7)) (differ a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (differ a b) (> (select a 9) 500)) (marked a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (differ a b) (< (select a 9) 500)) (marked a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)))
  (=> (and (differ c d) (differ a b) (= (select a 0) 1) (= c d) (= (select d 3) 3)) false)))
(check-sat)
