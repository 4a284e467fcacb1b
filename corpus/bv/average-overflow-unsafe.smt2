; low, high with low <= high
; middle := (bvlshr (bvadd low high) #b001)
; assert low <= middle <= high
(set-logic HORN)
(set-info :status unsat)
(declare-fun range ((_ BitVec 3) (_ BitVec 3)) Bool)
(declare-fun middle ((_ BitVec 3) (_ BitVec 3) (_ BitVec 3)) Bool)
(assert (forall ((low (_ BitVec 3)) (high (_ BitVec 3))) (=> (bvule low high) (range low high))))
(assert (forall ((low (_ BitVec 3)) (high (_ BitVec 3)) (m (_ BitVec 3)))
  (=> (and (range low high) (= m (bvlshr (bvadd low high) #b001))) (middle low high m))))
(assert (forall ((low (_ BitVec 3)) (high (_ BitVec 3)) (m (_ BitVec 3)))
  (=> (and (middle low high m) (not (and (bvule low m) (bvule m high)))) false)))
(check-sat)
