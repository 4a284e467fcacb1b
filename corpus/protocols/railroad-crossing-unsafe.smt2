; the train: 0 far, 1 near, 2 on the crossing; the gate: 0 open, 1 closing, 2 closed
; the train needs at least 3 ticks from near to the crossing, the gate 5 to close
; assert that the gate is closed while the train is on the crossing
(set-logic HORN)
(set-info :status unsat)
(declare-fun crossing (Int Int Int) Bool)
(assert (crossing 0 0 0))
(assert (forall ((gate Int) (clock Int)) (=> (crossing 0 gate clock) (crossing 1 1 0))))
(assert (forall ((gate Int) (clock Int))
  (=> (and (crossing 1 gate clock) (< clock 6))
      (crossing 1 (ite (>= (+ clock 1) 5) 2 gate) (+ clock 1)))))
(assert (forall ((gate Int) (clock Int))
  (=> (and (crossing 1 gate clock) (>= clock 3)) (crossing 2 gate clock))))
(assert (forall ((gate Int) (clock Int)) (=> (crossing 2 gate clock) (crossing 0 0 clock))))
(assert (forall ((gate Int) (clock Int)) (=> (and (crossing 2 gate clock) (not (= gate 2))) false)))
(check-sat)
