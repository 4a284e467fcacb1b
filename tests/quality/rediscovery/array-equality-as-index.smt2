; After two turns, arrays that agree but for one write: some do, so false follows.
; Bug: the projection of arrays merges two arrays whose equality is itself the index of a write, it seems.
; Wrong: 4.12.4.0 to 5.0.0.0 answer sat where clauses are not asserted step by step; 4.12.2.0 and 5.1.0.0 are right.
; Fix: probably Z3 5bd9e6a009 (2026-07-28), issues 7259 and 7036.
(set-logic HORN)
(declare-fun turn (Int) Bool)
(assert (turn 0))
(assert (forall ((n Int)) (=> (and (turn n) (< n 3)) (turn (+ n 1)))))
(assert (forall ((n Int) (a (Array Bool Bool)) (i Bool) (b (Array Bool Bool)) (c (Array Bool Bool)))
  (=> (and (turn n) (= n 2) (= (store b i true) (store a (= b c) (select c i)))) false)))
(check-sat)
