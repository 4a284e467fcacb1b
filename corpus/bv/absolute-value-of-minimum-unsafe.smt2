; int4 x
; if x < 0: x := -x
; assert x >= 0
(set-logic HORN)
(set-info :status unsat)
(declare-fun before ((_ BitVec 4)) Bool)
(declare-fun after ((_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4))) (before x)))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)))
  (=> (and (before x) (= y (ite (bvslt x #x0) (bvneg x) x))) (after y))))
(assert (forall ((x (_ BitVec 4))) (=> (and (after x) (bvslt x #x0)) false)))
(check-sat)
