; Zones up to 90, an alarm 6 below those beside a 1: never above 84.
; Bug: where the SMT solver gave up on a rule, Spacer took the rule's atoms for reached without looking at them.
; Wrong: 4.12.4.0 to 4.13.4.0 answer unsat, depending on the names of predicates; right from 4.14.0.0 on.
; Fix: Z3 f574950237 (2025-01-26), issue 7521.
(set-logic HORN)
(declare-fun any () Bool)
(declare-fun near (Int Int) Bool)
(declare-fun zone (Int Int) Bool)
(declare-fun alarm (Int) Bool)
(assert (forall ((i Int)) (=> (zone i 0) (near i 0))))
(assert (forall ((h Int) (i Int) (j Int) (n Int) (l Int))
  (=> (and (near i j) (= (* 2 n) j) (<= l j) (<= j 1) (<= 1 l)) (alarm h))))
(assert (forall ((h Int) (j Int)) (=> (zone j h) (near j h))))
(assert (forall ((h Int) (i Int)) (=> (and (near h i) (<= i 1) (<= 1 i)) (alarm (- h 6)))))
(assert (=> (alarm 0) any))
(assert (forall ((h Int)) (=> (and (alarm h) (> h 84)) false)))
(assert (forall ((h Int) (j Int) (l Int)) (=> (and (= (mod j 2) 0) (= j (+ h l))) (zone h j))))
(assert (forall ((h Int) (i Int)) (=> (< i 90) (zone i h))))
(check-sat)
