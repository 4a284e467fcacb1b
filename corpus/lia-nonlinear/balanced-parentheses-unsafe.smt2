; S -> empty | ( S ) | S S, but the ) after ( S is written twice
; assert that S has as many opening as closing parentheses
(set-logic HORN)
(set-info :status unsat)
(declare-fun s (Int Int) Bool)
(assert (s 0 0))
(assert (forall ((a Int) (b Int)) (=> (s a b) (s (+ a 1) (+ b 2)))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (s a b) (s c d)) (s (+ a c) (+ b d)))))
(assert (forall ((a Int) (b Int)) (=> (and (s a b) (distinct a b)) false)))
(check-sat)
