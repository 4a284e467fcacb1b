; x := 1 of four bits
; repeat any number of times: x := 5 * x + #x3
; assert x != 4
(set-logic HORN)
(set-info :status unsat)
(declare-fun random ((_ BitVec 4)) Bool)
(assert (random #x1))
(assert (forall ((x (_ BitVec 4))) (=> (random x) (random (bvadd (bvmul #x5 x) #x3)))))
(assert (=> (random #x4) false))
(check-sat)
