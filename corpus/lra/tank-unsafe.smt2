; level := 5
; repeat for ever: inflow of at most 1, outflow of at most 1, the valve closes at 9
; assert 0 <= level <= 9.5
(set-logic HORN)
(set-info :status unsat)
(declare-fun tank (Real Bool) Bool)
(assert (tank 5.0 true))
(assert (forall ((level Real) (change Real) (after Real) (open Bool))
  (=> (and (tank level open) open (<= 0.0 change) (<= change 1.0) (= after (+ level change)))
      (tank after (< after 9.0)))))
(assert (forall ((level Real) (change Real) (open Bool))
  (=> (and (tank level open) (<= 0.0 change) (<= change 1.0) (>= level change))
      (tank (- level change) open))))
(assert (forall ((level Real) (open Bool))
  (=> (and (tank level open) (not open) (< level 9.0)) (tank level true))))
(assert (forall ((level Real) (open Bool))
  (=> (and (tank level open) (not (and (<= 0.0 level) (<= level 9.5)))) false)))
(check-sat)
