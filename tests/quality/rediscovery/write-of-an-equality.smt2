; An array that is itself after a write of whether it is true everywhere: there is one, so false follows.
; Bug: not located; the projection of an array whose equality is what a write puts into it, it seems.
; Wrong: 4.16.0.0 to 5.3.1.0 answer sat for some forms of the clauses; 4.15.0.0 and 5.3.2.0 are right.
; Fix: not located; between 5.3.1 and 5.3.2.
(set-logic HORN)
(declare-fun at (Int Bool (_ BitVec 2)) Bool)
(assert (forall ((up Bool)) (at 0 up #b11)))
(assert (forall ((n Int) (up Bool) (k (_ BitVec 2))) (=> (and (at n up k) (< n 0)) (at (+ n 1) (not up) k))))
(assert (forall ((up Bool) (k (_ BitVec 2)) (b (Array (_ BitVec 2) Bool)))
  (=> (and (at 0 up k)
           (= b (store (ite up ((as const (Array (_ BitVec 2) Bool)) false) b) k
                       (= b ((as const (Array (_ BitVec 2) Bool)) true)))))
      false)))
(check-sat)
