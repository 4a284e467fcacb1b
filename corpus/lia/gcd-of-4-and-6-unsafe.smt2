; a, b := 4, 6
; while a != b:
;     if a > b: a := a - b
;     else: b := b - a
; assert a = 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (loop 4 6))
(assert (forall ((a Int) (b Int) (c Int))
  (=> (and (loop a b) (or (and (> a b) (= c (- a b))) (and (< a b) (= c a))) (> a b)) (loop c b))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (loop a b) (< a b) (= c (- b a))) (loop a c))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (= a b) (not (= a 1))) false)))
(check-sat)
