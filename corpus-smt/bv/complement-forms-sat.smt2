; the negation of x is its complement plus 1, and not the complement minus 1
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 9))
(assert (= (bvneg x) (bvadd (bvnot x) (_ bv1 9))))
(assert (distinct (bvneg x) (bvsub (bvnot x) (_ bv1 9))))
(check-sat)
