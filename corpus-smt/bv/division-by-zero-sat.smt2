; x divided by 0 is all ones, and its remainder x
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 6))
(declare-fun y () (_ BitVec 6))
(assert (= y (bvand x #b000000)))
(assert (or (distinct (bvudiv x y) #b011111) (distinct (bvurem x y) x)))
(check-sat)
