; x times 3 is 1 no more if 3 becomes 6 in 6 bits
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 6))
(assert (= (bvmul x #b000110) #b000001))
(assert (= ((_ extract 1 0) x) #b11))
(check-sat)
