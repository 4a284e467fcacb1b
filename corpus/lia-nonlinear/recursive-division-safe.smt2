; div(a, b) = 0                     if a < b
;           = 1 + div(a - b, b)     otherwise
; assert div(a, b) < a for a >= 1, b >= 2
(set-logic HORN)
(set-info :status sat)
(declare-fun quotient (Int Int Int) Bool)
(assert (forall ((a Int) (b Int) (q Int)) (=> (and (>= a 0) (>= b 1) (< a b) (= q 0)) (quotient a b q))))
(assert (forall ((a Int) (b Int) (q Int) (r Int))
  (=> (and (>= b 1) (>= a b) (quotient (- a b) b r) (= q (+ r 1))) (quotient a b q))))
(assert (forall ((a Int) (b Int) (q Int)) (=> (and (quotient a b q) (>= a 1) (>= b 2) (not (< q a))) false)))
(check-sat)
