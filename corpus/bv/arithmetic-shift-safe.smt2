; int4 x := -8
; repeat any number of times: x := x >> 1, keeping the sign
; assert x < 0
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4)) Bool)
(assert (loop #x8))
(assert (forall ((x (_ BitVec 4))) (=> (loop x) (loop (bvashr x #x1)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (loop x) (bvsge x #x0)) false)))
(check-sat)
