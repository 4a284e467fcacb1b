; plus(0, n) = n;  plus(m + 1, n) = plus(m, n) + 1
; assert plus((succ m), n) != zero
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun plus (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))
(assert (forall ((m Nat) (n Nat)) (=> (plus (succ m) n zero) false)))
(check-sat)
