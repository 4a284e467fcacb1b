; person n has parents 2 * n and 2 * n + 1, for n >= 1
; two people are of one generation if they are the same, or if their children are
; assert not generation(2 4)
(set-logic HORN)
(set-info :status sat)
(declare-fun parent (Int Int) Bool)
(declare-fun generation (Int Int) Bool)
(assert (forall ((n Int) (m Int)) (=> (and (>= n 1) (= m (* 2 n))) (parent n m))))
(assert (forall ((n Int) (m Int)) (=> (and (>= n 1) (= m (+ (* 2 n) 1))) (parent n m))))
(assert (generation 1 1))
(assert (forall ((n Int) (m Int) (a Int) (b Int))
  (=> (and (generation n m) (parent n a) (parent m b)) (generation a b))))
(assert (=> (generation 2 4) false))
(check-sat)
