; x times 3 is 1 in 6 bits
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 6))
(assert (= (bvmul x #b000011) #b000001))
(assert (= ((_ extract 1 0) x) #b11))
(check-sat)
