; assume a > 0 and b > 0
; while a != b:
;     if a > b: a := a - b
;     else: b := b - a
; assert a = 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (> a 0) (> b 0)) (loop a b))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (> a b)) (loop (- a b) b))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (< a b)) (loop a (- b a)))))
(assert (forall ((a Int) (b Int)) (=> (and (loop a b) (= a b) (not (= a 1))) false)))
(check-sat)
