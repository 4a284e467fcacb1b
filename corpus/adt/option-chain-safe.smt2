; decrement(some(n)) = some(n - 1) if n > 0, else none;  decrement(none) = none
; assert that a chain of them from some(3) never holds a number < 0
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Option 0)) (((none) (some (value Int)))))
(declare-fun chain (Option) Bool)
(assert (chain (some 3)))
(assert (forall ((n Int)) (=> (and (chain (some n)) (> n 0)) (chain (some (- n 1))))))
(assert (forall ((n Int)) (=> (and (chain (some n)) (<= n 0)) (chain none))))
(assert (=> (chain none) (chain none)))
(assert (forall ((r Option)) (=> (and (chain r) ((_ is some) r) (< (value r) 0)) false)))
(check-sat)
