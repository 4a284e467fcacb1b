; low, high with low <= high
; middle := (bvlshr (bvadd low high) #x1)
; assert low <= middle <= high
(set-logic HORN)
(set-info :status unsat)
(declare-fun range ((_ BitVec 4) (_ BitVec 4)) Bool)
(declare-fun middle ((_ BitVec 4) (_ BitVec 4) (_ BitVec 4)) Bool)
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4))) (=> (bvule low high) (range low high))))
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4)) (m (_ BitVec 4)))
  (=> (and (range low high) (= m (bvlshr (bvadd low high) #x1))) (middle low high m))))
(assert (forall ((low (_ BitVec 4)) (high (_ BitVec 4)) (m (_ BitVec 4)))
  (=> (and (middle low high m) (not (and (bvule low m) (bvule m high)))) false)))
(check-sat)
