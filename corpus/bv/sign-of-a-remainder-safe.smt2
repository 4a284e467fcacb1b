; int3 q, r := x / y, the remainder with the sign of x of x and y
; assert q * y + r = x, unless y = 0
(set-logic HORN)
(set-info :status sat)
(declare-fun divided ((_ BitVec 3) (_ BitVec 3) (_ BitVec 3) (_ BitVec 3)) Bool)
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)))
  (=> (distinct y #b000) (divided x y (bvsdiv x y) (bvsrem x y)))))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (q (_ BitVec 3)) (r (_ BitVec 3)))
  (=> (and (divided x y q r) (distinct (bvadd (bvmul q y) r) x)) false)))
(check-sat)
