; a product of extended words reaches the highest two bits of, and fits into twice their width
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= ((_ extract 5 4) (bvmul ((_ zero_extend 3) x) ((_ zero_extend 3) y))) (_ bv3 2)))
(check-sat)
