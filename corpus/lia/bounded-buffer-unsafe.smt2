; filled := 0
; repeat for ever, one of:
;     when filled <= 4: filled := filled + 1
;     when filled > 0: filled := filled - 1
; assert 0 <= filled <= 4
(set-logic HORN)
(set-info :status unsat)
(declare-fun buffer (Int) Bool)
(assert (buffer 0))
(assert (forall ((filled Int) (after Int))
  (=> (and (buffer filled)
           (or (and (<= filled 4) (= after (+ filled 1))) (and (> filled 0) (= after (- filled 1)))))
      (buffer after))))
(assert (forall ((filled Int)) (=> (and (buffer filled) (not (and (<= 0 filled) (<= filled 4)))) false)))
(check-sat)
