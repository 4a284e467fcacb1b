; low, high with low <= high
; middle := (bvadd low (bvlshr (bvsub high low) #x1))
; assert low <= middle <= high
(set-logic HORN)
(set-info :status sat)
(declare-fun range ((_ BitVec 4) (_ BitVec 4)) Bool)
(declare-fun middle ((_ BitVec 4) (_ BitVec 4) (_ BitVec 4)) Bool)
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4))) (=> (bvule low high) (range low high))))
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4)) (m (_ BitVec 4)))
  (=> (and (range low high) (= m (bvadd low (bvlshr (bvsub high low) #x1)))) (middle low high m))))
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4)) (m (_ BitVec 4)))
  (=> (and (middle low high m) (not (and (bvule low m) (bvule m high)))) false)))
(check-sat)
