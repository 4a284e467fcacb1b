; A pair whose second part is always -3, and sums of two second parts: never 2.
; Bug: slicing took a position for sliceable although a rule fills it with a constant, and forgot the constant.
; Wrong: 4.12.1.0 and older answer unsat once inlining leaves the fact alone; right from 4.12.2.0 on.
; Fix: Z3 f7c9c9ef72 (2023-03-06), issue 6617.
(set-logic HORN)
(declare-fun start (Int Int) Bool)
(declare-fun pair (Int Int) Bool)
(declare-fun done (Int Int) Bool)
(assert (forall ((a Int)) (start a (- 3))))
(assert (forall ((a Int) (b Int)) (=> (start a b) (done a b))))
(assert (forall ((a Int) (b Int)) (=> (pair a b) (done a b))))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int)) (=> (and (start a b) (start c d)) (pair e (+ b d)))))
(assert (=> (done 5 2) false))
(check-sat)
