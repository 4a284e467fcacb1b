; x divided by 0 is 1 if x is negative, else -1
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(assert (= (bvsdiv x #b000) #b001))
(assert (bvslt x #b000))
(check-sat)
