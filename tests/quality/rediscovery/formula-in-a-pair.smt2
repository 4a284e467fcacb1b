; A pair has a truth value that is a formula: whether a red b is green, so nothing derives the pair of false: sat.
; Bug: mbp_qel.cpp leaves out a literal on that formula with b, a variable of a datatype, and the pair becomes arbitrary.
; Wrong: 4.12.3.0 and all tested later releases answer unsat with another order of children; 4.12.2.0 is right.
(set-logic HORN)
(declare-datatypes ((C 0) (P 0)) (((red) (green)) ((pair (left Bool)))))
(declare-fun r (Int P) Bool)
(declare-fun s (C) Bool)
(assert (forall ((n Int)) (=> (> n 0) (s green))))
(assert (forall ((b C)) (=> (s green) (s b))))
(assert (forall ((b C) (q P)) (=> (and (s b) ((_ is red) b) (distinct (pair (= b green)) q)) (r 0 q))))
(assert (forall ((n Int)) (=> (> n 0) (r n (pair false)))))
(assert (forall ((q P)) (=> (and (r 0 (pair false)) (r 0 q)) false)))
(check-sat)
