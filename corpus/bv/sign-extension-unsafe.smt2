; int4 x is widened to 8 bits with zeros
; assert that the wide one is negative just when x is
(set-logic HORN)
(set-info :status unsat)
(declare-fun narrow ((_ BitVec 4)) Bool)
(declare-fun wide ((_ BitVec 4) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 4))) (narrow x)))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 8)))
  (=> (and (narrow x) (= y ((_ zero_extend 4) x))) (wide x y))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 8)))
  (=> (and (wide x y) (not (= (bvslt x #x0) (bvslt y #x00)))) false)))
(check-sat)
