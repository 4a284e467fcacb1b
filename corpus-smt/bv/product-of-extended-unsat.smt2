; a product of extended words does not fill the highest three bits of, and fits into twice their width
(set-logic ALL)
(set-info :status unsat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (= ((_ extract 5 3) (bvmul ((_ zero_extend 3) x) ((_ zero_extend 3) y))) (_ bv7 3)))
(check-sat)
