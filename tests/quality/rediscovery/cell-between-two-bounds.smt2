; A cell of an array is between two bounds, so nothing derives the bounds 5 and 3: sat.
; Bug: mbp_term_graph.cpp leaves out literals with a read of an array that is eliminated, and the bounds become arbitrary.
; Wrong: 4.12.3.0 and all tested later releases answer unsat with another order of children; 4.12.2.0 is right.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 20.
(set-logic HORN)
(declare-fun filled ((Array Int Int)) Bool)
(declare-fun bounds (Int Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (> (select a 1) (select a 2)) (filled a))))
(assert (forall ((a (Array Int Int))) (=> (and (filled a) (> (select a 2) 500)) (filled (store a 3 3)))))
(assert (forall ((low Int) (high Int) (a (Array Int Int)))
  (=> (and (filled a) (< low (select a 0)) (< (select a 0) high)) (bounds low high))))
(assert (forall ((low Int) (high Int)) (=> (and (bounds low high) (> low 500)) (bounds (+ low 1) (+ high 1)))))
(assert (forall ((low Int) (high Int)) (=> (and (bounds 5 3) (bounds low high) (= low 1)) false)))
(check-sat)
