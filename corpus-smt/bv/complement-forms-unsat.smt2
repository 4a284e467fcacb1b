; the negation of x is its complement plus 1, and the complement of x - 1
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 9))
(assert (= (bvneg x) (bvadd (bvnot x) (_ bv1 9))))
(assert (distinct (bvneg x) (bvnot (bvsub x (_ bv1 9)))))
(check-sat)
