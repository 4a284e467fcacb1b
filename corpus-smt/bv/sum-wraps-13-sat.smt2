; a sum of 13 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 13))
(declare-fun y () (_ BitVec 13))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 12 12) x) #b1))
(assert (= ((_ extract 12 12) y) #b1))
(check-sat)
