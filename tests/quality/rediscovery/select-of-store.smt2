; A counter that remembers what an array holds after a zero was written: the third part is 0 at the first position only.
; Bug: the projection of array terms marked a read of a write as seen before it had expanded it, and lost it.
; Wrong: 4.12.4.0 to 4.14.0.0 answer unsat without eager inlining; 4.12.2.0 and 4.14.1.0 are right.
; Fix: Z3 e0945f57bb (2025-02-18), issue 7554.
(set-logic HORN)
(declare-fun step (Int Int Int) Bool)
(declare-fun bad (Int) Bool)
(assert (bad 0))
(assert (step 0 0 6))
(assert (forall ((a (Array Int Int)) (i Int) (k Int))
  (=> (step i 0 6) (step (+ i 1) k (select (store a i 0) k)))))
(assert (forall ((v Int)) (=> (and (step 1 v 6) (bad v)) false)))
(check-sat)
