; the laws of De Morgan on words of 10 bits
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 10))
(declare-fun y () (_ BitVec 10))
(assert (distinct (bvnand x y) (bvor (bvnot x) (bvnot y))))
(check-sat)
