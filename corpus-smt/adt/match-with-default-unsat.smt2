; a match with a variable for all other cases gives zero for zero
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun n () Nat)
(declare-fun m () Nat)
(assert (= m (match n ((zero (succ zero)) (other other)))))
(assert ((_ is zero) m))
(check-sat)
