; low, high := 0, 1
; repeat any number of times: middle := (low + high) / 2; one of low, high becomes middle
; assert low < high and high - low = 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun interval (Real Real) Bool)
(assert (interval 0.0 1.0))
(assert (forall ((low Real) (high Real) (middle Real))
  (=> (and (interval low high) (= (* 2.0 middle) (+ low high))) (interval middle high))))
(assert (forall ((low Real) (high Real) (middle Real))
  (=> (and (interval low high) (= (* 2.0 middle) (+ low high))) (interval low middle))))
(assert (forall ((low Real) (high Real))
  (=> (and (interval low high) (not (and (< low high) (= (- high low) 1.0)))) false)))
(check-sat)
