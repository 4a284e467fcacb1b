; uint3 x := 0, integer n := 0
; while n < 8: x := x + 1; n := n + 1
; assert x, as a number, is n
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((_ BitVec 3) Int) Bool)
(assert (loop #b000 0))
(assert (forall ((x (_ BitVec 3)) (n Int)) (=> (and (loop x n) (< n 8)) (loop (bvadd x #b001) (+ n 1)))))
(assert (forall ((x (_ BitVec 3)) (n Int)) (=> (and (loop x n) (distinct (bv2nat x) n)) false)))
(check-sat)
