; hour, minute := 0, 0
; repeat for ever:
;     minute := minute + 20
;     if minute > 60: hour, minute := hour + 1, minute - 60
;     if hour = 3: hour := 0
; assert hour < 3 and minute < 60
(set-logic HORN)
(set-info :status unsat)
(declare-fun clock (Int Int) Bool)
(assert (clock 0 0))
(assert (forall ((hour Int) (minute Int))
  (=> (and (clock hour minute) (not (> (+ minute 20) 60))) (clock hour (+ minute 20)))))
(assert (forall ((hour Int) (minute Int) (hour1 Int) (minute1 Int))
  (=> (and (clock hour minute)
           (> (+ minute 20) 60)
           (= hour1 (ite (= hour 2) 0 (+ hour 1)))
           (= minute1 (- (+ minute 20) 60)))
      (clock hour1 minute1))))
(assert (forall ((hour Int) (minute Int))
  (=> (and (clock hour minute) (not (and (< hour 3) (< minute 60)))) false)))
(check-sat)
