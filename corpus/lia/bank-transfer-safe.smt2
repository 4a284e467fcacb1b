; assume a >= 0 and b >= 0
; total := a + b
; repeat any number of times, for some amount with 0 < amount <= a:
;     a, b := a - amount, b + amount
; assert a + b = total and a >= 0
(set-logic HORN)
(set-info :status sat)
(declare-fun bank (Int Int Int) Bool)
(assert (forall ((a Int) (b Int) (total Int))
  (=> (and (>= a 0) (>= b 0) (= total (+ a b))) (bank a b total))))
(assert (forall ((a Int) (b Int) (total Int) (amount Int))
  (=> (and (bank a b total) (< 0 amount) (<= amount a)) (bank (- a amount) (+ b amount) total))))
(assert (forall ((a Int) (b Int) (total Int))
  (=> (and (bank a b total) (not (and (= (+ a b) total) (>= a 0)))) false)))
(check-sat)
