; Values 3 and 2 are seen, and whatever is at least 6: 0 never comes out.
; Bug: slicing took a position for sliceable although another variable decides it through an if-then-else.
; Wrong: 4.14.0.0 and older answer unsat in some orders of the clauses; right from 4.14.1.0 on.
; Fix: Z3 07fa36e37a (2025-03-09), issue 7466.
(set-logic HORN)
(declare-fun seen (Int) Bool)
(declare-fun out (Int) Bool)
(assert (forall ((v Int) (up Bool)) (=> (= v (ite up 3 2)) (seen v))))
(assert (forall ((v Int) (w Int) (up Bool)) (=> (and (seen w) (= v (ite up 3 w))) (seen v))))
(assert (=> (out 0) (out 1)))
(assert (forall ((v Int) (up Bool)) (=> (seen v) (out v))))
(assert (forall ((v Int)) (=> (>= v 5) (out (+ v 1)))))
(assert (=> (out 0) false))
(check-sat)
