; Clearing a flag of an array whose flags are all clear leaves the array as it is, and that array is forbidden: unsat.
; Bug: dl_rule.cpp takes a constant array and a store for values, so it treats two terms of one array as different.
; Wrong: 4.9.1.0 and all tested releases answer sat once the constant array is a term; 4.8.17.0 is right.
; Fix: none in 5.4.1.0. docs/z3-5.4.0.md, bug 1.
(set-logic HORN)
(declare-fun cleared ((Array Int Bool)) Bool)
(assert (forall ((flags (Array Int Bool)))
  (=> (= flags ((as const (Array Int Bool)) false)) (cleared (store flags 0 false)))))
(assert (=> (cleared ((as const (Array Int Bool)) false)) false))
(check-sat)
