; a number of 3 bits other than 0 is its own negation, and not the least
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(assert (= x (bvneg x)))
(assert (distinct x (_ bv0 3)))
(assert (distinct x (_ bv4 3)))
(check-sat)
