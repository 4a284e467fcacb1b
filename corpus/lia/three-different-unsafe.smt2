; three turns: t := t + x + y + z for any three different numbers from 0 to 3
; assert t = 3 n after n turns
(set-logic HORN)
(set-info :status unsat)
(declare-fun sum (Int Int) Bool)
(assert (sum 0 0))
(assert (forall ((n Int) (t Int) (x Int) (y Int) (z Int))
  (=> (and (sum n t) (< n 3) (distinct x y z) (<= 0 x) (<= x 3) (<= 0 y) (<= y 3) (<= 0 z) (<= z 3))
      (sum (+ n 1) (+ t x y z)))))
(assert (forall ((n Int) (t Int)) (=> (and (sum n t) (not (= t (* 3 n)))) false)))
(check-sat)
