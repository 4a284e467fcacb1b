; mutually recursive types: an even list is empty or an element before an odd list, and the reverse
; assert that the length of an odd list is <= 1
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Even 0) (Odd 0)) (((none) (some (first Int) (others Odd))) ((one (value Int) (rest Even)))))
(declare-fun even (Even Int) Bool)
(declare-fun odd (Odd Int) Bool)
(assert (even none 0))
(assert (forall ((o Odd) (x Int) (n Int)) (=> (odd o n) (even (some x o) (+ n 1)))))
(assert (forall ((e Even) (x Int) (n Int)) (=> (even e n) (odd (one x e) (+ n 1)))))
(assert (forall ((o Odd) (n Int)) (=> (and (odd o n) (not (<= n 1))) false)))
(check-sat)
