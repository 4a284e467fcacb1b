; Two arrays that agree after one write each, of whether the first is not empty: there are such, so false follows.
; Bug: not located; as in write-of-an-equality, it came earlier and needs a case distinction.
; Wrong: 4.14.1.0 to 5.3.1.0 answer sat once the cases are clauses of their own; 4.13.4.0 and 5.3.2.0 are right.
; Fix: not located; between 5.3.1 and 5.3.2.
(set-logic HORN)
(declare-fun at (Int Bool (_ BitVec 2)) Bool)
(assert (forall ((up Bool)) (at 0 up #b00)))
(assert (forall ((n Int) (up Bool) (k (_ BitVec 2))) (=> (and (at n up k) (< n 0)) (at (+ n 1) up k))))
(assert (forall ((up Bool) (k (_ BitVec 2)) (b (Array (_ BitVec 2) Bool)) (c (Array (_ BitVec 2) Bool)))
  (=> (and (at 0 up k)
           (= (store (ite up ((as const (Array (_ BitVec 2) Bool)) false) b) k
                     (not (= b ((as const (Array (_ BitVec 2) Bool)) false))))
              (store c k up)))
      false)))
(check-sat)
