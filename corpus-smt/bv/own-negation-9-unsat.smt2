; a number of 9 bits other than 0 is its own negation, and not the least
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 9))
(assert (= x (bvneg x)))
(assert (distinct x (_ bv0 9)))
(assert (distinct x (_ bv256 9)))
(check-sat)
