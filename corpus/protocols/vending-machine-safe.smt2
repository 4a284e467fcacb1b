; credit := 0
; repeat for ever, one of:
;     insert a coin of 1 or 2, while credit < 4
;     when credit >= 3: vend, credit := credit - 3
;     return: credit := 0
; assert credit >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun machine (Int) Bool)
(assert (machine 0))
(assert (forall ((credit Int) (coin Int))
  (=> (and (machine credit) (< credit 4) (or (= coin 1) (= coin 2))) (machine (+ credit coin)))))
(assert (forall ((credit Int)) (=> (and (machine credit) (>= credit 3)) (machine (- credit 3)))))
(assert (forall ((credit Int)) (=> (machine credit) (machine 0))))
(assert (forall ((credit Int)) (=> (and (machine credit) (< credit 0)) false)))
(check-sat)
