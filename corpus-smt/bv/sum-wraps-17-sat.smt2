; a sum of 17 bits is less than its first term, which is set in its highest bit
(set-logic ALL)
(set-info :status sat)
(declare-fun x () (_ BitVec 17))
(declare-fun y () (_ BitVec 17))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 16 16) x) #b1))
(assert (= ((_ extract 16 16) y) #b1))
(check-sat)
