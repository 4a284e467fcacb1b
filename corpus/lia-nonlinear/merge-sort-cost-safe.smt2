; cost(n) = 0                                    if n <= 1
;         = cost(a) + cost(n - a) + n, with 0 < a < n, otherwise
; assert cost(n) >= n for n >= 2
(set-logic HORN)
(set-info :status sat)
(declare-fun cost (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (<= n 1) (>= n 0) (= r 0)) (cost n r))))
(assert (forall ((n Int) (a Int) (c Int) (d Int) (r Int))
  (=> (and (> n 1) (< 0 a) (< a n) (cost a c) (cost (- n a) d) (= r (+ c d n))) (cost n r))))
(assert (forall ((n Int) (r Int)) (=> (and (cost n r) (>= n 2) (not (>= r n))) false)))
(check-sat)
