; div and mod by 3: the remainder has no sign
(set-logic ALL)
(set-info :status sat)
(declare-fun x () Int)
(assert (< x 0))
(assert (= (div x 3) (- 4)))
(assert (= (mod x 3) 2))
(check-sat)
