; q, r := x / y, x % y of three bits, also for y = 0
; assert x = q * y + r and r < y
(set-logic HORN)
(set-info :status unsat)
(declare-fun operands ((_ BitVec 3) (_ BitVec 3)) Bool)
(declare-fun divided ((_ BitVec 3) (_ BitVec 3) (_ BitVec 3) (_ BitVec 3)) Bool)
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (operands x y)))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)))
  (=> (operands x y) (divided x y (bvudiv x y) (bvurem x y)))))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (q (_ BitVec 3)) (r (_ BitVec 3)))
  (=> (and (divided x y q r) (not (and (= x (bvadd (bvmul q y) r)) (bvult r y)))) false)))
(check-sat)
