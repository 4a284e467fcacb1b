; x divided by 0 is all ones, and its remainder x
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (= y (bvand x #b000000)))
(assert (or (distinct (bvudiv x y) #b111111) (distinct (bvurem x y) x)))
(check-sat)
