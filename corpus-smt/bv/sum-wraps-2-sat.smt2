; a sum of 2 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 2))
(declare-fun y () (_ BitVec 2))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 1 1) x) #b1))
(assert (= ((_ extract 1 1) y) #b1))
(check-sat)
