; two tasks with a budget each; the scheduler runs the one that has run more, either on a tie
; assert that they never differ by more than 1
(set-logic HORN)
(set-info :status unsat)
(declare-fun run (Int Int) Bool)
(assert (run 0 0))
(assert (forall ((a Int) (b Int)) (=> (and (run a b) (>= a b)) (run (+ a 1) b))))
(assert (forall ((a Int) (b Int)) (=> (and (run a b) (>= b a)) (run a (+ b 1)))))
(assert (forall ((a Int) (b Int)) (=> (and (run a b) (or (> (- a b) 1) (> (- b a) 1))) false)))
(check-sat)
