; Sums of three two-bit numbers in three bits wrap around, so what they are as integers is never above 7.
; Bug: the sum of bit-vectors was read as one of integers where each had a leading zero, however many they were.
; Wrong: 4.8.12.0 and 4.8.13.0 answer unsat once the sum and its conversion meet in one rule; right from 4.8.14.0 on.
; Fix: Z3 87aec8819f (2021-12-01), issue 5687.
(set-logic HORN)
(declare-fun sum ((_ BitVec 3)) Bool)
(declare-fun total (Int) Bool)
(assert (sum #b000))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)) (s (_ BitVec 3)))
  (=> (and (sum s) (bvult s #b100)) (sum (bvadd (concat #b0 x) (concat #b0 y) (concat #b0 ((_ extract 1 0) s)))))))
(assert (forall ((s (_ BitVec 3))) (=> (sum s) (total (bv2nat s)))))
(assert (forall ((n Int)) (=> (and (total n) (> n 7)) false)))
(check-sat)
