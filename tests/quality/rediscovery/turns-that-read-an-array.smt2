; Three turns. A switch stays on, and each turn reads an array at the answer to "is it the other one?": there are some.
; Bug: not located; the equality of two arrays is the index of a read, below an if-then-else.
; Wrong: 5.0.0.0 answers sat for some forms of the step; 4.12.2.0 and 5.1.0.0 are right. Other forms came with 4.13.
; Fix: not located; between 5.0.0 and 5.1.0. Perhaps the cause of choice-over-array-equalities, without a switch.
(set-logic HORN)
(declare-fun turn (Int Bool Int) Bool)
(assert (turn 0 true 1))
(assert (forall ((n Int) (on Bool) (v Int) (a (Array Bool Int)) (c (Array Bool Int)) (b Bool))
  (=> (and (turn n on v) (> v 0) (= (select (ite on a (store a b 2)) (= a c)) n)) (turn (+ n 1) on (select a b)))))
(assert (forall ((on Bool) (v Int)) (=> (and (turn 3 on v) (= v 0)) false)))
(check-sat)
