; The only pair is two blank arrays, so the second array of each pair has zeros alone: sat.
; Bug: dl_mk_array_blast.cpp replaces the read by a fresh variable, although the array is also an argument of a predicate.
; Wrong: 4.8.12.0 and all tested later releases answer unsat under array_blast.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 5.
(set-logic HORN)
(declare-fun pair ((Array Int Int) (Array Int Int)) Bool)
(assert (pair ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 0)))
(assert (forall ((copy (Array Int Int)) (y Int))
  (=> (and (pair (store ((as const (Array Int Int)) 0) 0 y) copy) (distinct (select copy 0) 0)) false)))
(check-sat)
