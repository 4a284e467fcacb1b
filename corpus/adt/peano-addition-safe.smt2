; plus(0, n) = n;  plus(m + 1, n) = plus(m, n) + 1
; assert plus(m, n) != 0 if one of them is not 0
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun plus (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))
(assert (forall ((m Nat) (n Nat))
  (=> (and (plus m n zero) (or (distinct m zero) (distinct n zero) false)) false)))
(check-sat)
