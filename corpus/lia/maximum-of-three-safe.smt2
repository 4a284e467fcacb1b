; m := a
; if b > m: m := b
; if c > m: m := c
; assert m >= a and m >= b and m >= c
(set-logic HORN)
(set-info :status sat)
(declare-fun first (Int Int Int Int) Bool)
(declare-fun second (Int Int Int Int) Bool)
(declare-fun done (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int) (c Int) (m Int)) (=> (= m a) (first a b c m))))
(assert (forall ((a Int) (b Int) (c Int) (m Int) (n Int))
  (=> (and (first a b c m) (= n (ite (> b m) b m))) (second a b c n))))
(assert (forall ((a Int) (b Int) (c Int) (m Int) (n Int))
  (=> (and (second a b c m) (= n (ite (> c m) c m))) (done a b c n))))
(assert (forall ((a Int) (b Int) (c Int) (m Int))
  (=> (and (done a b c m) (not (and (>= m a) (>= m b) (>= m c)))) false)))
(check-sat)
