; balance := 100
; repeat any number of years: interest of 4.0 percent, then a withdrawal of 5
; assert balance >= 100
(set-logic HORN)
(set-info :status unsat)
(declare-fun savings (Real) Bool)
(assert (savings 100.0))
(assert (forall ((balance Real) (next Real))
  (=> (and (savings balance) (= next (- (+ balance (* (/ 4.0 100.0) balance)) 5.0))) (savings next))))
(assert (forall ((balance Real)) (=> (and (savings balance) (< balance 100.0)) false)))
(check-sat)
