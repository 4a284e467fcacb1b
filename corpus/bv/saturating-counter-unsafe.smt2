; uint4 x := 0
; repeat any number of times: x := x + #x5, but never above 12
; assert x >= what it was before
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (loop #x0 #x0))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)) (before (_ BitVec 4)))
  (=> (and (loop before x) (= y (bvadd x #x5))) (loop x (ite (bvugt y #xc) #xc y)))))
(assert (forall ((x (_ BitVec 4)) (before (_ BitVec 4))) (=> (and (loop before x) (bvult x before)) false)))
(check-sat)
