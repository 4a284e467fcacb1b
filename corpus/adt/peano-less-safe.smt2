; 0 < n + 1;  m + 1 < n + 1 if m < n
; assert not n < zero
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun less (Nat Nat) Bool)
(assert (forall ((n Nat)) (less zero (succ n))))
(assert (forall ((m Nat) (n Nat)) (=> (less m n) (less (succ m) (succ n)))))
(assert (forall ((n Nat)) (=> (less n zero) false)))
(check-sat)
