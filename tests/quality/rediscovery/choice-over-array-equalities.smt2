; Three steps are always possible, so false follows; what a step computes hangs on arrays that are or are not constant.
; Bug: not located. Unlike array-equality-as-index, it came after 4.13.4.0, and no array is an index here.
; Wrong: 4.14.0.0 to 5.0.0.0 answer sat once rules are unfolded; 4.13.4.0 and 5.1.0.0 are right.
; Fix: not located; between 5.0.0 and 5.1.0.
(set-logic HORN)
(declare-fun q (Int Bool Bool) Bool)
(assert (q 0 false false))
(assert (forall ((x Bool) (y Bool) (a (Array Bool Int)) (w Bool) (b (Array Bool Int)) (z Bool) (n Int))
  (=> (and (q n x y)
           (= z (ite (= b ((as const (Array Bool Int)) 1)) w
                     (= (ite (not (= x (= (store a y 3) ((as const (Array Bool Int)) 2)))) true x) y))))
      (q (+ n 1) w z))))
(assert (forall ((x Bool) (y Bool) (v Bool) (n Int)) (=> (and (q n x y) (= n 3) v) false)))
(check-sat)
