; a word of 3 bits and its shift add up to a product with another factor
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(assert (bvult (_ bv1 3) x))
(assert (distinct (bvadd (bvshl x y) x) (bvmul x (bvadd (bvshl x y) (_ bv1 3)))))
(check-sat)
