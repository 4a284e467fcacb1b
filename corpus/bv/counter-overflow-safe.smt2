; uint4 x := 0
; repeat any number of times: x := x + #x2
; assert x != 15
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4)) Bool)
(assert (loop #x0))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (loop x) (= y (bvadd x #x2))) (loop y))))
(assert (forall ((x (_ BitVec 4))) (=> (and (loop x) (= x #xf)) false)))
(check-sat)
