; E -> 2 | E + E | 4 * E - 3
; assert that no E has the value 1
(set-logic HORN)
(set-info :status sat)
(declare-fun value (Int) Bool)
(assert (value 2))
(assert (forall ((a Int) (b Int)) (=> (and (value a) (value b)) (value (+ a b)))))
(assert (forall ((a Int)) (=> (value a) (value (- (* 4 a) 3)))))
(assert (=> (value 1) false))
(check-sat)
