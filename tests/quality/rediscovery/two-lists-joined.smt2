; Two lists, neither empty, that make one of two members: there are such, so false follows.
; Bug: the projection of data types asks for parts of a list that its constructor does not have, it seems.
; Wrong: 4.12.4.0 to 5.3.1.0 answer sat without inductive generalization; 4.12.2.0 and 5.3.2.0 are right.
; Fix: between 5.3.1 and 5.3.2; issue 9583 looks the same, and Z3 922f49e187 (2026-06-03) was its first mending.
(set-logic HORN)
(declare-datatypes ((L 0)) (((cons (hd Int) (tl L)) (nil))))
(declare-fun app (L L L) Bool)
(declare-fun len (L Int) Bool)
(assert (len nil 0))
(assert (forall ((h Int) (t L) (m Int)) (=> (len t m) (len (cons h t) (+ m 1)))))
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((h Int) (x L) (y L) (z L)) (=> (app x y z) (app (cons h x) y (cons h z)))))
(assert (forall ((a L) (b L) (c L) (m Int))
  (=> (and (app a b c) (len c m) (= m 2) (not (= a nil)) (not (= b nil))) false)))
(check-sat)
