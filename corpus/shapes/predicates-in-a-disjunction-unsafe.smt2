; a message arrives from the north or, if it is short, from the south; short is at most 6
; assert that no message longer than 5 is accepted
(set-logic HORN)
(set-info :status unsat)
(declare-fun north (Int) Bool)
(declare-fun south (Int) Bool)
(declare-fun accepted (Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 1 n) (<= n 4)) (north n))))
(assert (forall ((n Int)) (=> (and (<= 2 n) (<= n 9)) (south n))))
(assert (forall ((n Int)) (=> (or (north n) (and (south n) (< n 7))) (accepted n))))
(assert (forall ((n Int)) (=> (and (accepted n) (> n 5)) false)))
(check-sat)
