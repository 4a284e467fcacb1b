; tak(x, y, z) = y                                                         if x <= y
;              = tak(tak(x-1, y, z), tak(y-1, z, x), tak(z-1, x, y))       otherwise
; assert (or (<= x y) (= r z)) for r = tak(x, y, z)
(set-logic HORN)
(set-info :status unsat)
(declare-fun tak (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int) (r Int)) (=> (and (<= x y) (= r y)) (tak x y z r))))
(assert (forall ((x Int) (y Int) (z Int) (a Int) (b Int) (c Int) (r Int))
  (=> (and (> x y) (tak (- x 1) y z a) (tak (- y 1) z x b) (tak (- z 1) x y c) (tak a b c r))
      (tak x y z r))))
(assert (forall ((x Int) (y Int) (z Int) (r Int))
  (=> (and (tak x y z r) (not (or (<= x y) (= r z)))) false)))
(check-sat)
