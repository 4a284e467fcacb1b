; message := (header: (urgent: false, last: false), size: 5)
; repeat any number of times: cut one off; the part that is left is the last one if its size is at most 3
; assert the last part is not larger than 2
(set-logic HORN)
(set-info :status unsat)
(declare-datatypes ((Header 0) (Message 0)) (((header (urgent Bool) (last Bool))) ((message (head Header) (size Int)))))
(declare-fun sent (Message) Bool)
(assert (sent (message (header false false) 5)))
(assert (forall ((m Message))
    (=> (and (sent m) (not (last (head m))))
        (sent (message (header (urgent (head m)) (<= (size m) 4)) (- (size m) 1))))))
(assert (forall ((m Message)) (=> (and (sent m) (not (last (head m)))) (sent (message (header true (last (head m))) (size m))))))
(assert (forall ((m Message)) (=> (and (sent m) (last (head m)) (> (size m) 2)) false)))
(check-sat)
