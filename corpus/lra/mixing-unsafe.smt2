; two cups with concentrations a <= b; a spoonful is exchanged: both move towards each other
; 0.75 of the difference goes from b to a
; assert a <= b
(set-logic HORN)
(set-info :status unsat)
(declare-fun cups (Real Real) Bool)
(assert (forall ((a Real) (b Real)) (=> (and (<= 0.0 a) (<= a b) (<= b 1.0)) (cups a b))))
(assert (forall ((a Real) (b Real) (d Real))
  (=> (and (cups a b) (= d (* 0.75 (- b a)))) (cups (+ a d) (- b d)))))
(assert (forall ((a Real) (b Real)) (=> (and (cups a b) (> a b)) false)))
(check-sat)
