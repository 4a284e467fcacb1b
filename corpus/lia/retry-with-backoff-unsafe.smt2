; delay, failures := 1, 0
; while failures < 6:
;     failures := failures + 1
;     delay := min(2 * delay, 20)
; assert delay <= 16
(set-logic HORN)
(set-info :status unsat)
(declare-fun retry (Int Int) Bool)
(assert (retry 1 0))
(assert (forall ((delay Int) (twice Int) (failures Int))
  (=> (and (retry delay failures) (< failures 6) (= twice (* 2 delay)))
      (retry (ite (<= twice 20) twice 20) (+ failures 1)))))
(assert (forall ((delay Int) (failures Int)) (=> (and (retry delay failures) (> delay 16)) false)))
(check-sat)
