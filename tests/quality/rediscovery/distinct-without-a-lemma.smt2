; An array that is 0 everywhere is marked with the number 0, since 0 is neither 1 nor 2: unsat.
; Bug: in smt_conflict_resolution.cpp, no lemma discharges a hypothesis of a proof, and Spacer makes the lemma false of it.
; Wrong: 5.0.0 and all tested later releases answer sat without eager inlining; older ones die of signal 11.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 19.
(set-logic HORN)
(declare-fun marked ((Array Int Int) Int) Bool)
(declare-fun ready (Bool) Bool)
(assert (forall ((a (Array Int Int)) (next Int) (i Int))
  (=> (or (and (= a (store ((as const (Array Int Int)) 0) i 1)) (= next (+ i 1))) (distinct next 2 1))
      (marked a next))))
(assert (ready false))
(assert (forall ((b Bool)) (=> (ready b) (ready true))))
(assert (forall ((a (Array Int Int))) (=> (and (marked a 2) (< (select a 2) 0)) false)))
(assert (=> (and (marked ((as const (Array Int Int)) 0) 0) (ready true)) false))
(check-sat)
