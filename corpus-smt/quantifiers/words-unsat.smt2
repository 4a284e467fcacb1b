; a word of 3 bits whose product with every word is 0
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(assert (forall ((y (_ BitVec 3))) (= (bvmul x y) #b000)))
(assert (distinct x #b000))
(check-sat)
