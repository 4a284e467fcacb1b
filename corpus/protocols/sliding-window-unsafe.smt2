; send while fewer than 4 are on their way; acknowledgements come for one more than was sent
; assert acknowledged <= sent <= acknowledged + 4
(set-logic HORN)
(set-info :status unsat)
(declare-fun window (Int Int) Bool)
(assert (window 0 0))
(assert (forall ((sent Int) (acked Int))
  (=> (and (window sent acked) (< (- sent acked) 4)) (window (+ sent 1) acked))))
(assert (forall ((sent Int) (acked Int) (next Int))
  (=> (and (window sent acked) (< acked next) (<= next (+ sent 1))) (window sent next))))
(assert (forall ((sent Int) (acked Int))
  (=> (and (window sent acked) (not (and (<= acked sent) (<= sent (+ acked 4))))) false)))
(check-sat)
