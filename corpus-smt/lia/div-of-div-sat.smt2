; division by 2 and by 3 is division by 5
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (distinct (div (div x 2) 3) (div x 5)))
(assert (< (- 20) x 20))
(check-sat)
