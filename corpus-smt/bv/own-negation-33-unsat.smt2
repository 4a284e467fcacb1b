; a number of 33 bits other than 0 is its own negation, and not the least
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 33))
(assert (= x (bvneg x)))
(assert (distinct x (_ bv0 33)))
(assert (distinct x (_ bv4294967296 33)))
(check-sat)
