; a word of 3 bits whose product with every word is that word
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(assert (forall ((y (_ BitVec 3))) (= (bvmul x y) y)))
(assert (distinct x #b000))
(check-sat)
