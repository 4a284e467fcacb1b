; a number of 2 bits other than 0 is its own negation, and not the least
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 2))
(assert (= x (bvneg x)))
(assert (distinct x (_ bv0 2)))
(assert (distinct x (_ bv2 2)))
(check-sat)
