; producer: when request = acknowledge: put data; request := not request
; consumer: when request = acknowledge: take data; acknowledge := not acknowledge
; assert that the consumer has taken all that was put, or all but one
(set-logic HORN)
(set-info :status unsat)
(declare-fun bus (Bool Bool Int Int) Bool)
(assert (bus false false 0 0))
(assert (forall ((put Int) (taken Int) (request Bool) (acknowledge Bool))
  (=> (and (bus request acknowledge put taken) (= request acknowledge))
      (bus (not request) acknowledge (+ put 1) taken))))
(assert (forall ((put Int) (taken Int) (request Bool) (acknowledge Bool))
  (=> (and (bus request acknowledge put taken) (= request acknowledge))
      (bus request (not acknowledge) put (+ taken 1)))))
(assert (forall ((put Int) (taken Int) (request Bool) (acknowledge Bool))
  (=> (and (bus request acknowledge put taken) (not (and (<= taken put) (<= put (+ taken 1)))))
      false)))
(check-sat)
