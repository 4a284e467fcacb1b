; x := 0b0011
; repeat any number of times: rotate x by 2
; assert x != 0b0110
(set-logic HORN)
(set-info :status sat)
(declare-fun loop ((_ BitVec 4)) Bool)
(assert (loop #b0011))
(assert (forall ((x (_ BitVec 4))) (=> (loop x) (loop ((_ rotate_left 2) x)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (loop x) (= x #b0110)) false)))
(check-sat)
