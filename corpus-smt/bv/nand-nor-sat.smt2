; the laws of De Morgan on words of 10 bits, with a wrong operator
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 10))
(declare-fun y () (_ BitVec 10))
(assert (distinct (bvnand x y) (bvand (bvnot x) (bvnot y))))
(check-sat)
